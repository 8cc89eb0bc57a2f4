"""What the tests of every operator share: a seed, the devices, poisoned memory."""

import os
import random
from pathlib import Path

import pytest
import torch
from torch._functorch import config

# The cache of compiled gradients knows an operator by its name. Under torch.func its reference is
# compiled, and an edit of that would go unseen.
config.enable_autograd_cache = False

pytest.register_assert_rewrite("suite")

SEED = int(os.environ.get("SEED", random.randrange(2**32)))


def pytest_report_header():
    return f"seed: {SEED} (set SEED={SEED} to repeat this run)"


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(SEED)


@pytest.fixture(params=["cpu", pytest.param("cuda", marks=pytest.mark.cuda)])
def device(request):
    return request.param


@pytest.fixture(params=["cpu", "meta", pytest.param("cuda", marks=pytest.mark.cuda)])
def any_device(request):
    """Tensors on meta have no memory, like those that torch.compile and torch.export try with."""
    return request.param


@pytest.fixture
def poison():
    """Fill new tensors with NaN, so that an element the kernel leaves unwritten shows."""
    torch.use_deterministic_algorithms(True)
    yield
    torch.use_deterministic_algorithms(False)


def pytest_configure(config):
    # Here, and not at the top: from now on, what compilers say of an edit is on the terminal.
    try:
        from my_ops._build import stale
    except ImportError as error:
        raise pytest.UsageError(f"not tested: {error}") from None
    if reason := stale(Path(__file__).parents[1]):
        raise pytest.UsageError(f"not tested: {reason}")
    config.addinivalue_line("markers", "cuda: runs on a GPU")


def pytest_pycollect_makeitem(collector, name, obj):
    """Leave out a test of what its operator has not: see `only_with` in suite.py."""
    facts = getattr(obj, "facts", ()) if name.startswith("test_") else ()
    if not all(getattr(collector.obj(), fact) for fact in facts):
        return []


def pytest_runtest_setup(item):
    if item.get_closest_marker("cuda") and not torch.cuda.is_available():
        pytest.skip("no GPU here")
