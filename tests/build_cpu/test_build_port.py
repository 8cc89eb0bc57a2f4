"""docs/port.md as its reader goes through it, from an extension in three forms to a wheel."""

from __future__ import annotations

import re
from zipfile import ZipFile

import pytest
from building import python, succeed
from pages import DOCS, follow
from render import TEMPLATE

PAGE = DOCS / "port.md"
KERNELS = TEMPLATE / "tests/lib/extension/kernels.cu"
# Of each operator that was moved, and of one that is as it was rendered.
TESTS = "-k '(add or gather or histogram or nms) and (values or gradients or refuses or opcheck) and not compile'"
CALLS = """
import torch, small_ops
x, y = torch.arange(6.0), torch.ones(6)
small_ops.add(x, y)
assert x.tolist() == [1, 2, 3, 4, 5, 6]
assert small_ops.gather(x.view(3, 2), torch.tensor([2, 0])).tolist() == [[5, 6], [1, 2]]
assert small_ops.histogram(torch.tensor([0, 2, 2]), 3).tolist() == [1, 0, 2]
print(small_ops.__file__)
"""


def test_the_kernels_do_not_change():
    page, library = PAGE.read_text(), KERNELS.read_text()
    kernels = re.findall(r"^__global__ .*?^}$", library, re.MULTILINE | re.DOTALL)
    assert len(kernels) == 3
    assert all(kernel in page for kernel in kernels)


@pytest.mark.long
@pytest.mark.xdist_group("port")
def test_the_port_works_as_it_is_written(tmp_path):
    # A compiler that optimizes takes twice as long; builds of variants show it.
    compiler = tmp_path / "g++"
    compiler.write_text('#!/bin/sh\nexec g++ "$@" -O0\n')
    compiler.chmod(0o755)
    *_, (project, _) = follow(PAGE, tmp_path, {"PYTEST_ADDOPTS": TESTS, "CXX": str(compiler)})
    (wheel,) = project.glob("dist/*.whl")
    ZipFile(wheel).extractall(tmp_path / "installed")
    where = succeed(python(), "-c", CALLS, cwd=tmp_path / "installed")
    assert str(tmp_path / "installed") in where
