"""What the tests of every operator share: a seed, the devices, poisoned memory."""

import os
import random
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch
from torch._functorch import config

# The cache of compiled gradients knows an operator by its name. Under torch.func its reference is
# compiled, and an edit of that would go unseen.
config.enable_autograd_cache = False

pytest.register_assert_rewrite("my_ops_suite")

PACKAGE = "my_ops"
SEED = int(os.environ.get("SEED") or random.randrange(2**32))


def pytest_report_header():
    return f"seed: {SEED} (set SEED={SEED} to repeat this run)"


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(SEED)


@pytest.fixture
def poison():
    """Fill new tensors with NaN, so that an element the kernel leaves unwritten shows."""
    torch.use_deterministic_algorithms(True)
    yield
    torch.use_deterministic_algorithms(False)


def pytest_generate_tests(metafunc):
    if "device" in metafunc.fixturenames:
        cuda = pytest.param("cuda", marks=pytest.mark.cuda)
        metafunc.parametrize("device", ["cpu", cuda])


def pytest_configure(config):
    repository = Path(__file__).parents[1]
    spec = find_spec(PACKAGE)
    # A folder is a namespace package, without an origin; an editable install may be of where this was before.
    if spec is None or not spec.origin or not Path(spec.origin).exists():
        install = f"in {repository}, run `pip install --no-build-isolation -e '.[test]'`"
        rename = "`copier update --data project=NAME` renames it"
        way = install if (repository / PACKAGE).exists() else rename
        raise pytest.UsageError(f"not tested: Python finds no {PACKAGE}; {way}")
    # Here, and not at the top: from now on, what compilers say of an edit is on the terminal.
    try:
        from my_ops._library import stale
    except ImportError as error:
        raise pytest.UsageError(f"not tested: {error}") from None
    if reason := stale(repository):
        raise pytest.UsageError(f"not tested: {reason}")
    for mark in ("cuda: runs on a GPU", "each: fact of an operator", "only_with: such facts"):
        config.addinivalue_line("markers", mark)


def pytest_pycollect_makeitem(collector, name, obj):
    """Leave out a test of what its operator has not: see `only_with` in my_ops_suite.py."""
    marks = getattr(obj, "pytestmark", ()) if name.startswith("test_") else ()
    marks = [x for x in marks if x.name in ("each", "only_with")]
    facts = [fact for x in marks for fact in (*x.args, *x.kwargs.values())]
    if not all(getattr(collector.obj(), fact) for fact in facts):
        return []


def pytest_runtest_setup(item):
    if item.get_closest_marker("cuda") and not torch.cuda.is_available():
        pytest.skip("no GPU here" if torch.version.cuda else "this PyTorch has no CUDA")
