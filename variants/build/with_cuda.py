def with_cuda() -> bool:
    """Whether to compile the CUDA code: yes, if PyTorch has CUDA.

    A GPU is not needed to compile, so none is asked for.
    """
    return not {{ '_doctor.' if setuptools }}asked_for("CPU_ONLY") and torch.version.cuda is not None
