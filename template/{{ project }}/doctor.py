"""Lists what this package needs to compile and run: `python -m PACKAGE.doctor`.

This file is the same in every project.
"""

import sys

from ._kit.doctor import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
