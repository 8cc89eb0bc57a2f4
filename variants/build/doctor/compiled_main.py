{% if full %}


{% include pathjoin('variants', 'build', 'doctor', 'report.py') %}
{% endif %}


def main(arguments: list[str]) -> str | int | None:
    """Return the exit status, or why there is nothing to print."""
{% if full %}
    if not arguments:
        return report()
{% endif %}
    if arguments not in (["--nvcc"], ["--cuda-home"]):
        return __doc__
    try:
        return print(nvcc_of_pip(*arguments))
    except Finding as finding:
        return str(finding)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
