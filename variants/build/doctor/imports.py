def imports() -> str:
    """Import the package in a process of its own, since what does not fit PyTorch may end it."""
    command = [sys.executable, "-c", f"import {PACKAGE}"]
    run = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    said, _, _ = run.stderr.partition("Traceback (most recent call last)")
    print(said, end="", file=sys.stderr)  # by compilers, if the import compiles
    if run.returncode:
        error = run.stderr.strip().splitlines()[-1:] or [f"it ends with status {run.returncode}"]
        reason = error[0].partition(" (`python -m")[0].rpartition("BuildError: ")[2]
        raise Finding(f"`import {PACKAGE}` fails: {reason}", {{ mends_import | default("REBUILD") }})
    return f"`import {PACKAGE}` works"
