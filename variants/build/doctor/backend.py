def backend() -> str:
    # --no-build-isolation takes both from this environment.
    version = output("cmake", "--version") or output(sys.executable, "-m", "cmake", "--version")
    if not version and shutil.which("cmake"):
        _, text = ran("cmake", "--version")
        raise Finding(f"cmake does not run{says(text)}", "pip install --force-reinstall cmake")
    missing = [] if importlib.util.find_spec("scikit_build_core") else ["scikit-build-core"]
    missing += [] if version else ["cmake"]
    if missing:
        raise Finding(f"there is no {' and no '.join(missing)}", f"pip install {' '.join(missing)}")
    return f"scikit-build-core, {version.splitlines()[0]}"
