def build_directory(cuda: bool) -> Path:
    """Return a folder for what cannot share a build: PyTorch, CUDA, GPUs, Python, sources."""
    facts = [torch.__version__, sys.implementation.cache_tag, str(_CSRC)]
    if cuda:
        facts += [torch.version.cuda, architectures()]
    key = repr(facts)
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    root = os.environ.get("TORCH_EXTENSIONS_DIR") or get_default_build_root()
    return Path(root, f"{{ project }}-{digest}")
