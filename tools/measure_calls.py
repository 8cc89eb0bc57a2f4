"""Times calls at 16 float32 elements; run by measure.py in a process that can import the project.

Prints JSON: microseconds of a call, with and without a gradient needed, of the public function, of
the operator as torch.ops has it, and of torch.addcmul, which does the same work.
"""

import json
import statistics
import sys

import my_ops
import torch
from torch.utils.benchmark import Timer

ROUNDS = 18

device, autograd = sys.argv[1:]
values = {name: torch.randn(16, device=device) for name in "abt"}
with_grad = {f"grad_{name}": values[name].clone().requires_grad_() for name in "ab"}
names = {"torch": torch, "my_ops": my_ops, "op": torch.ops.my_ops.muladd.default}
names |= values | with_grad

statements = {
    "addcmul": "torch.addcmul(t, a, b, value=0.5)",
    "call": "my_ops.muladd(a, b, 0.5)",
    "op": "op(a, b, 0.5)",
    "addcmul_grad": "torch.addcmul(t, grad_a, grad_b, value=0.5)",
    "call_grad": "my_ops.muladd(grad_a, grad_b, 0.5)",
}
timers = {name: Timer(statement, globals=names) for name, statement in statements.items()}
if autograd == "none":
    del timers["call_grad"]  # a call is no error, but what it returns has no gradient

# Taken in short turns, so that what slows the machine for a while slows all of them: with 9 of 0.1 s, one
# figure was 1.2 or 1.8 on a busy machine. On a GPU, a timer synchronizes at the end of each loop.
seconds = {name: [] for name in timers}
for _ in range(ROUNDS):
    for name, timer in timers.items():
        seconds[name].append(timer.blocked_autorange(min_run_time=0.01).median)
costs = {name: round(statistics.median(times) * 1e6, 3) for name, times in seconds.items()}
print(json.dumps(dict.fromkeys(statements) | costs))
