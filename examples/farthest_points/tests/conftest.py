"""What the tests of every operator share: a seed, the devices, poisoned memory."""

import os
import random
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch

# What tests share lies beside them, where not every import mode of pytest looks.
sys.path.append(str(Path(__file__).parent))
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
    # Of an operator that refuses this, since its threads add up in any order, PyTorch only warns.
    torch.use_deterministic_algorithms(True, warn_only=True)
    yield
    torch.use_deterministic_algorithms(False)


def pytest_generate_tests(metafunc):
    """Give tests their devices; on meta, tensors have no memory, as torch.compile tries them."""
    cuda = pytest.param("cuda", marks=pytest.mark.cuda)
    for name, devices in {"device": ["cpu", cuda], "any_device": ["cpu", "meta", cuda]}.items():
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, devices)


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
        from my_ops.doctor import Finding, asked_for
    except ImportError as error:
        raise pytest.UsageError(f"not tested: {error}") from None
    if reason := stale(repository):
        raise pytest.UsageError(f"not tested: {reason}")
    try:
        asked_for("LARGE")
    except Finding as finding:
        raise pytest.UsageError(f"not tested: {finding}") from None
    config.addinivalue_line("markers", "cuda: runs on a GPU")
    alerts = "ignore:.*does not have a deterministic implementation"
    config.addinivalue_line("filterwarnings", alerts)


@pytest.hookimpl(tryfirst=True)
def pytest_make_collect_report(collector):
    """Let a test module be imported although one of another project, in the same run, has its name."""
    if isinstance(collector, pytest.Module):
        other = sys.modules.get(collector.path.stem)
        if other and getattr(other, "__file__", None) != str(collector.path):
            del sys.modules[collector.path.stem]


def pytest_runtest_setup(item):
    if item.get_closest_marker("cuda") and not torch.cuda.is_available():
        pytest.skip("no GPU here" if torch.version.cuda else "this PyTorch has no CUDA")
