setup(
    ext_modules=[extension],
    cmdclass={"build_ext": BuildWithRecord},
    verbose=False,  # what setuptools does would hide what compilers say
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
)
