LAST = [library, imports]


{% include pathjoin('variants', 'build', 'doctor', 'report.py') %}


def main(arguments: list[str]) -> str | int:
    """Return the exit status, or why there is nothing to print."""
    if not arguments:
        return report()
    if arguments not in (["--nvcc"], ["--cuda-home"]):
        return __doc__
    try:
        cuda = cuda_of_pip()
    except Finding as finding:
        return str(finding)
    if arguments == ["--nvcc"]:
        print(*nvcc_packages(cuda), sep="\n")
        return 0
    home = pip_cuda_home()
    if home is None:
        return f"pip installed no nvcc: {ways_to_nvcc(cuda)[0]}"
    print(home)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
