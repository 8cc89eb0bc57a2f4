"""Judges operators: `python -m PACKAGE.verify`. Shared code of the template: do not edit."""

import sys

from ._kit.verify import main

if __name__ == "__main__":
    sys.exit(main())
