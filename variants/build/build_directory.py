def _build_directory(cuda: bool) -> Path:
    """Return a folder for what cannot share a build: PyTorch, CUDA, GPUs, Python, sources."""
    key = repr(
        (
            torch.__version__,
            torch.version.cuda if cuda else None,
            os.environ.get("TORCH_CUDA_ARCH_LIST")
            or [torch.cuda.get_device_capability(i) for i in range(torch.cuda.device_count())],
            sys.implementation.cache_tag,
            str(_CSRC),
        )
    )
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    root = os.environ.get("TORCH_EXTENSIONS_DIR") or get_default_build_root()
    return Path(root, f"{{ project }}-{digest}")
