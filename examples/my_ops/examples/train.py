"""Trains a small network with `muladd` in it, and the same with plain PyTorch: their losses must agree.

Needs `pip install -e ".[bench]" --no-build-isolation`. Writes examples/results/train.png.
"""

import argparse
from pathlib import Path

import torch
from tqdm import tqdm

import my_ops
from my_ops.ops.muladd import muladd_reference

INPUTS, HIDDEN, BATCH = 8, 64, 256
NOISE = 0.1


class Model(torch.nn.Module):
    """Two linear layers; of what the first one gives, `op` makes what the last one takes."""

    def __init__(self, op):
        super().__init__()
        self.op = op
        self.first = torch.nn.Linear(INPUTS, 2 * HIDDEN)
        self.last = torch.nn.Linear(HIDDEN, 1)

    def forward(self, x):
        parts = self.first(x).chunk(2, dim=-1)
        hidden = self.op(parts[0], parts[1], 0.5)
        return self.last(hidden)


def make_batches(steps, device):
    """Return random inputs and their targets, a batch for each step."""
    x = torch.randn(steps, BATCH, INPUTS, device=device)
    y = x.sum(-1, keepdim=True) + x[..., :1] * x[..., 1:2]
    return x, y + NOISE * torch.randn_like(y)


def train_model(name, op, batches, compiled=False):
    """Return the loss of each step."""
    torch.manual_seed(0)  # the same weights each time
    inputs, targets = batches
    model = Model(op).to(inputs.device)
    predict = torch.compile(model, fullgraph=True) if compiled else model
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for x, y in zip(tqdm(inputs, desc=f"{name:16}", unit="step"), targets):
        loss = torch.nn.functional.mse_loss(predict(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses).cpu()


def plot_losses(losses, path):
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axis = pyplot.subplots(figsize=(6, 4), layout="constrained")
    # Curves lie on each other, so each is thinner than the one below.
    for (name, values), width in zip(losses.items(), [6, 3, 1]):
        axis.plot(values, label=name, linewidth=width)
    axis.axhline(NOISE**2, color="0.5", linestyle=":", label="noise of the data")
    axis.set(xlabel="step", ylabel="mean squared error", yscale="log")
    axis.set_title("muladd in training")
    axis.grid(alpha=0.3)
    axis.legend()
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description="Trains a network with muladd in it.")
    cuda = torch.cuda.is_available()
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda" if cuda else "cpu")
    parser.add_argument("--steps", type=int, default=300, help="default: 300")
    options = parser.parse_args()
    if options.device == "cuda" and not cuda:
        parser.error("--device cuda: PyTorch finds no GPU here; use --device cpu")
    if options.steps < 1:
        parser.error(f"--steps {options.steps}: it takes at least one")

    batches = make_batches(options.steps, options.device)
    losses = {
        "plain PyTorch": train_model("plain PyTorch", muladd_reference, batches),
        "muladd": train_model("muladd", my_ops.muladd, batches),
        "torch.compile": train_model("torch.compile", my_ops.muladd, batches, compiled=True),
    }
    path = Path(__file__).parent / "results" / "train.png"
    plot_losses(losses, path)
    ends = {name: values[-20:].mean().item() for name, values in losses.items()}
    for name, end in ends.items():
        print(f"{name:16} loss {losses[name][0]:.3f} -> {end:.3g}")
    print(f"written: {path}")
    # Rounding differs, and training makes more of it, so the ends are as close as this.
    for end in ends.values():
        torch.testing.assert_close(end, ends["plain PyTorch"], rtol=0.1, atol=1e-3)


if __name__ == "__main__":
    main()
