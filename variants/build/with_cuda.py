def with_cuda() -> bool:
    """Whether to compile the CUDA code: yes, if PyTorch has CUDA.

    A GPU is not needed to compile, so none is asked for.

    Raises:
        RuntimeError: PyTorch has CUDA, but nvcc is missing.
    """
    if torch.version.cuda is None or os.environ.get("CPU_ONLY") == "1":
        return False
    if CUDA_HOME is None or not Path(CUDA_HOME, "bin", "nvcc").exists():
        raise RuntimeError(
            f"PyTorch {torch.__version__} has CUDA {torch.version.cuda}, but there is no nvcc "
            f"in CUDA_HOME ({CUDA_HOME}). `python -m {{ project }}.doctor` says how to get it; "
            "set CPU_ONLY=1 to compile the CPU code only."
        )
    if not torch.cuda.is_available():
        # PyTorch would look at the GPUs for this. PTX lets later ones run it too.
        os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "{{ architectures }}")
    return True
