"""Builds for pip and uv with scikit-build-core, and shows only the lines of compilers."""

from build_log import BuildError, compiling  # type: ignore[import-not-found]
from scikit_build_core import build


def build_wheel(*arguments):
    return _show(build.build_wheel, *arguments)


def build_editable(*arguments):
    return _show(build.build_editable, *arguments)


def __getattr__(name):  # the hooks that compile nothing
    return getattr(build, name)


def _show(hook, *arguments):
    try:
        with compiling():
            return hook(*arguments)
    except BuildError as error:
        raise SystemExit(str(error)) from None
