LAST = [library, imports]


{% include pathjoin('variants', 'build', 'doctor', 'report.py') %}


def main(arguments: list[str]) -> str | int:
    """Return the exit status, or why there is nothing to print."""
    if not arguments:
        return report()
    if arguments == ["--nvcc"]:
        cuda = pytorch_facts().get("cuda")
        if cuda is None:
            return "There is no PyTorch with CUDA here, so no nvcc is needed."
        if int(cuda.split(".")[0]) < 13:
            return f"PyPI has no nvcc of CUDA {cuda}: {ways_to_nvcc(cuda)[0]}"
        print(*nvcc_packages(cuda), sep="\n")
        return 0
    if arguments == ["--cuda-home"]:
        home = pip_cuda_home()
        if home is None:
            return f"pip installed no nvcc: python -m {PACKAGE}.doctor --nvcc | xargs pip install"
        print(home)
        return 0
    return __doc__


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
