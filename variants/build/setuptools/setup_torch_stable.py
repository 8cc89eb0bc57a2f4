setup(
    ext_modules=[extension],
    cmdclass={"build_ext": BuildWithRecord},
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
)
