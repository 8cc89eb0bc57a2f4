"""The tests of all operators: a class in test_<operator>.py inherits the tests of its kernel.

The arguments and results of an operator are read from its schema, which PyTorch has. These files
are shared code of the template: one for each kernel, and one for each subject that kernels share.
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
