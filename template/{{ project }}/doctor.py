"""Lists what this package needs to compile and run: `python -m PACKAGE.doctor`.

Shared code of the template: do not edit.
"""

import sys

from ._kit.doctor import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
