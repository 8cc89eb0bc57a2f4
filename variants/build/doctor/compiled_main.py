

{% include pathjoin('variants', 'build', 'doctor', 'report.py') %}


if __name__ == "__main__":
    if sys.argv[1:] == ["--nvcc"]:
        print(nvcc_of_pip())
    else:
        sys.exit(__doc__ if sys.argv[1:] else report())
