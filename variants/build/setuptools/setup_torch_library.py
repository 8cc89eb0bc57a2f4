setup(
    # A wheel is for the PyTorch that it was compiled for.
    install_requires=[f"torch=={torch.__version__.partition('+')[0]}"],
    ext_modules=[extension],
    cmdclass={"build_ext": BuildWithRecord},
    verbose=False,  # what setuptools does would hide what compilers say
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
)
