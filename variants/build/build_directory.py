def build_directory(cuda: bool) -> Path:
    """Return a folder for what cannot share a build: PyTorch, CUDA, GPUs, Python, sources."""
    # Releases before 0.8.0 made folders without the mode, which a group could often write to.
    facts = [torch.__version__, sys.implementation.cache_tag, str(_CSRC), "go-w"]
    if cuda:
        facts += [str(torch.version.cuda), architectures()]
    key = repr(facts)
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    drop_warnings()
    from torch.utils.cpp_extension import get_default_build_root

    root = os.environ.get("TORCH_EXTENSIONS_DIR") or get_default_build_root()
    return Path(root, f"{{ project }}-{digest}")
