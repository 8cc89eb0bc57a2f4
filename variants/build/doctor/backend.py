def backend() -> str:
    # --no-build-isolation takes both from this environment.
    version = output("cmake", "--version") or output(sys.executable, "-m", "cmake", "--version")
    missing = [] if importlib.util.find_spec("scikit_build_core") else ["scikit-build-core"]
    missing += [] if version else ["cmake"]
    if missing:
        raise Finding(f"there is no {' and no '.join(missing)}", f"pip install {' '.join(missing)}")
    return f"scikit-build-core, {version.splitlines()[0]}"
