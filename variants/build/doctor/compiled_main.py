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
        print(nvcc_packages(cuda) if arguments == ["--nvcc"] else pip_cuda_home(cuda))
    except Finding as finding:
        return str(finding)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
