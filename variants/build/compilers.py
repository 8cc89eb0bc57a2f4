def require_compiler(*paths: Path) -> None:
    """Refuse a C++ compiler that is missing, or that PyTorch's headers do not compile with.

    Raises:
        RuntimeError: The doctor finds something wrong with it or with MAX_JOBS, or a path is one that
            PyTorch cannot tell ninja.
    """
{% if not setuptools %}
    from . import doctor as _doctor  # where something is compiled, and not at each import

{% endif %}
    for path in paths:
        if re.search('[$:"]', str(path)):
            raise RuntimeError(
                f"{path} has a dollar sign, colon or quote in it, which PyTorch cannot tell ninja; "
                "rename that folder"
            )
    try:
        _doctor.compiler()
        _doctor.compilers()
    except _doctor.Finding as finding:
        raise RuntimeError(str(finding)) from None


def require_nvcc() -> None:
    """Refuse an nvcc that is missing, or that does not fit PyTorch.

    Raises:
        RuntimeError: The doctor finds something wrong with it.
    """
{% if not setuptools %}
    from . import doctor as _doctor  # where something is compiled, and not at each import

{% endif %}
    try:
        _doctor.fitting_nvcc(torch.version.cuda)
    except _doctor.Finding as finding:
        raise RuntimeError(str(finding)) from None
