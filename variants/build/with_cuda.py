def with_cuda() -> bool:
    """Whether to compile the CUDA code: yes, if PyTorch has CUDA.

    A GPU is not needed to compile, so none is asked for.
    """
    return torch.version.cuda is not None and os.environ.get("CPU_ONLY") != "1"
