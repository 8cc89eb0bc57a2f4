def require_compilers(cuda: bool, *paths: Path) -> None:
    """Refuse compilers that are missing, or that PyTorch's headers do not compile with.

    Raises:
        RuntimeError: There is no C++ compiler, or it is a g++ before 11, or nvcc has another major
            version than PyTorch's CUDA, or a path is one that PyTorch cannot tell ninja.
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
    if cuda:
        _require_nvcc()


def _require_nvcc() -> None:
    nvcc = Path(CUDA_HOME, "bin", "nvcc")
    text = subprocess.run([nvcc, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    release = re.search(r"release ((\d+)\.\d+)", text)
    if release and release[2] != torch.version.cuda.split(".")[0]:
        raise RuntimeError(
            f"PyTorch has CUDA {torch.version.cuda}, but {nvcc} is of CUDA {release[1]}; set CUDA_HOME to a "
            "toolkit with the same major version, or set CPU_ONLY=1 to compile the CPU code only"
        )
