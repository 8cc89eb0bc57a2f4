def imports() -> str:
    """Import the package in a process of its own, since what does not fit PyTorch may end it."""
    command = [sys.executable, "-c", f"import {PACKAGE}"]
    status, text = ran(*command, seconds=3600)
{% if not compiled_wheels %}
    said, _, _ = text.partition("Traceback (most recent call last)")
    print(said, end="", file=sys.stderr)  # by compilers
{% endif %}
    if status != 0:
        error = says(text, -1) or f": it ends with status {status}"
        reason = error[2:].partition(" (`python -m")[0].rpartition("BuildError: ")[2]
        raise Finding(f"`import {PACKAGE}` fails: {reason}", {{ mends_import | default("REBUILD") }})
    # In this folder Python finds the package in any case, elsewhere if it is installed.
    found = f"from importlib.util import find_spec; assert find_spec('{PACKAGE}')"
    status, _ = ran(sys.executable, "-c", found, folder=os.sep)
    install = "pip install{{ ' --no-build-isolation' if compiled_wheels }} -e ."
    return f"`import {PACKAGE}` works{f', in this folder alone: {install}' if status else ''}"
