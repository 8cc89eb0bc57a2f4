pip install torch scikit-build-core cmake ninja
pip install --no-build-isolation -e ".[test]"
