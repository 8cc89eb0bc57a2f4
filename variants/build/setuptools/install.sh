pip install torch numpy "setuptools>=78.1.1" ninja
pip install --no-build-isolation -e ".[test]"
