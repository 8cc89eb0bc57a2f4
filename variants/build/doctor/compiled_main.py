

{% include pathjoin('variants', 'build', 'doctor', 'report.py') %}


def main(arguments: list[str]) -> str | int | None:
    """Return the exit status, or why there is nothing to print."""
    if not arguments:
        return report()
    if arguments not in (["--nvcc"], ["--cuda-home"]):
        return __doc__
    try:
        return print(nvcc_of_pip(*arguments))
    except Finding as finding:
        return str(finding)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
