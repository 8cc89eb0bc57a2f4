"""Judges operators: `python -m PACKAGE.verify`. This file is the same in every project."""

import sys

from ._kit.verify import main

if __name__ == "__main__":
    sys.exit(main())
