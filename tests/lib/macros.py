"""The macros of questions/ as functions of Python, in the environment that Copier renders with: a call takes milliseconds."""

import json
import re
from functools import cache
from pathlib import Path, PurePosixPath

from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

ROOT = Path(__file__).parents[2]


@cache
def environment():
    """Jinja's environment, as Copier 9.19 makes it in copier/_main.py with _envops of copier.yml."""
    env = SandboxedEnvironment(
        loader=FileSystemLoader(ROOT),
        extensions=["jinja2_ansible_filters.AnsibleCoreFiltersExtension"],
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    env.globals["pathjoin"] = lambda *parts: str(PurePosixPath(*parts))
    return env


@cache
def module(path, **variables):
    return environment().get_template(path).make_module(variables)


def unmarked(text):
    """Return a source without the marks of languages/lines.jinja."""
    return re.sub("[‹›«»]", "", text)


def macro(name, *args, path="questions/shapes.jinja", **keywords):
    """Return the text that a macro prints, without marks."""
    return unmarked(str(getattr(module(path), name)(*args, **keywords))).strip()


def data(name, *args, **keywords):
    """The same of a macro that prints JSON."""
    return json.loads(macro(name, *args, **keywords))
