def find_library() -> Path | None:
    """Return the path of the compiled library, or None."""
    spec = find_spec("{{ project }}._C")
    return Path(spec.origin) if spec and spec.origin else None
