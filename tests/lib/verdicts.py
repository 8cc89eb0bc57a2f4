"""The JSON schema of docs/verdict.md, and a check of objects."""

from __future__ import annotations

import json
import re
from functools import cache

from render import TEMPLATE

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


@cache
def schema() -> dict:
    text = (TEMPLATE / "docs" / "verdict.md").read_text()
    (found,) = re.findall(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return json.loads(found)


def is_of(value: object, name: str) -> bool:
    if isinstance(value, bool) and name != "boolean":
        return False
    return isinstance(value, TYPES[name])


def faults(value: object, rule: dict | None = None, at: str = "verdict") -> list[str]:
    """Return the places where an object breaks the schema, for the keywords of JSON Schema in it."""
    rule = schema() if rule is None else rule
    if "enum" in rule:
        return [] if value in rule["enum"] else [f"{at} is {value!r}"]
    names = [rule["type"]] if isinstance(rule["type"], str) else rule["type"]
    if not any(is_of(value, name) for name in names):
        return [f"{at} is {value!r}, and no {rule['type']}"]
    found = []
    if isinstance(value, dict) and "properties" in rule:
        found += [f"{at} has no {key}" for key in rule["required"] if key not in value]
        found += [f"{at} has {key}" for key in value if key not in rule["properties"]]
        for key in value.keys() & rule["properties"].keys():
            found += faults(value[key], rule["properties"][key], f"{at}.{key}")
    if isinstance(value, list) and "items" in rule:
        for i, x in enumerate(value):
            found += faults(x, rule["items"], f"{at}[{i}]")
    return found
