def require_compiler(*paths: Path) -> None:
    """Refuse a C++ compiler that is missing, or that PyTorch's headers do not compile with.

    Raises:
        RuntimeError: There is no C++ compiler, or it is a g++ before 11, or a path is one that
            PyTorch cannot tell ninja.
    """
    for path in paths:
        if re.search('[$:"]', str(path)):
            raise RuntimeError(
                f"{path} has a dollar sign, colon or quote in it, which PyTorch cannot tell ninja; "
                "rename that folder"
            )
    command = shlex.split(os.environ.get("CXX") or "c++")
    if shutil.which(command[0]) is None:
        raise RuntimeError(
            f"there is no C++ compiler {command[0]}; install g++ 11 or later, or clang, or set CXX to one"
        )
    predefined = [*command, "-dM", "-E", "-x", "c++", os.devnull]
    macros = subprocess.run(predefined, stdout=subprocess.PIPE, text=True, check=True).stdout
    gcc = re.search(r"__GNUC__ (\d+)", macros)
    if gcc and "__clang__" not in macros and int(gcc[1]) < 11:
        raise RuntimeError(
            f"{' '.join(command)} is g++ {gcc[1]}, and PyTorch needs 11 or later; install one, and set CXX to it"
        )


def require_nvcc() -> None:
    """Refuse an nvcc that is missing, or that does not fit PyTorch.

    Raises:
        RuntimeError: There is no nvcc, or it has another major version than PyTorch's CUDA.
    """
    if CUDA_HOME is None or not Path(CUDA_HOME, "bin", "nvcc").exists():
        raise RuntimeError(
            f"PyTorch {torch.__version__} has CUDA {torch.version.cuda}, but there is no nvcc "
            f"in CUDA_HOME ({CUDA_HOME}). `python -m {{ project }}.doctor` says how to get it; "
            "set CPU_ONLY=1 to compile the CPU code only."
        )
    nvcc = Path(CUDA_HOME, "bin", "nvcc")
    text = subprocess.run([nvcc, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    release = re.search(r"release ((\d+)\.\d+)", text)
    if release and release[2] != torch.version.cuda.split(".")[0]:
        raise RuntimeError(
            f"PyTorch has CUDA {torch.version.cuda}, but {nvcc} is of CUDA {release[1]}; set CUDA_HOME to a "
            "toolkit with the same major version, or set CPU_ONLY=1 to compile the CPU code only"
        )
