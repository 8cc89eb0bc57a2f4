def backend() -> str:
    # --no-build-isolation takes both from this environment.
    cmake = shutil.which("cmake") or importlib.util.find_spec("cmake")
    missing = [] if importlib.util.find_spec("scikit_build_core") else ["scikit-build-core"]
    missing += [] if cmake else ["cmake"]
    if missing:
        raise Finding(f"there is no {' and no '.join(missing)}", f"pip install {' '.join(missing)}")
    return "scikit-build-core and cmake are installed"
