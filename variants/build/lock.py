@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Let one process at a time compile in a folder."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        refuse_others(directory)
        file = directory / "{{ project }}.lock"
        lock = FileLock(file).acquire()
    except (OSError, NotImplementedError) as error:  # the latter from file systems that have no locks
        raise ImportError(
            f"{{ project }} is to be compiled in {directory}, where nothing can be written ({error}); "
            "set TORCH_EXTENSIONS_DIR to a folder of yours"
        ) from error
    with lock:
        # PyTorch's own lock outlives a killed build, and would be waited for without end. Whoever
        # holds ours knows that nobody holds that one.
        (directory / "lock").unlink(missing_ok=True)
        yield


@contextmanager
def _only_readable() -> Iterator[None]:
    """Let other users only read the files that are made meanwhile."""
    umask = os.umask(0o022)
    os.umask(umask | 0o022)
    try:
        yield
    finally:
        os.umask(umask)
