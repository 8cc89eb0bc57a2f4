"""The tests of all operators: each class in test_<operator>.py inherits one class of tests.

The suite reads the arguments and results of an operator from its schema in PyTorch. These files are
shared code of the template: one for each kind of kernel, and one for each subject that several
kinds share.
"""

from .custom import Custom, CustomTests
from .elementwise import Elementwise
from .facts import DTYPES, LAYOUTS
from .image import Image
from .matmul import Matmul
from .rowwise import Rowwise
from .volume import Volume

__all__ = [
    "DTYPES",
    "LAYOUTS",
    "Custom",
    "CustomTests",
    "Elementwise",
    "Image",
    "Matmul",
    "Rowwise",
    "Volume",
]
