pip install -e ".[test]"
