setup(
    # A wheel is for the PyTorch that it was compiled for.
    install_requires=[f"torch=={torch.__version__.partition('+')[0]}"],
    ext_modules=[extension],
    cmdclass={
        # _C.so: it is no Python module, so its name says nothing of a Python.
        "build_ext": BuildWithRecord.with_options(no_python_abi_suffix=True),
        "bdist_wheel": WheelOfAnyPython,
    },
    verbose=False,  # what setuptools does would hide what compilers say
)
