"""The tests of every operator: test_<operator>.py inherits or imports the tests of its kernel.

What an operator takes, writes and returns is read from its schema, as PyTorch knows it. These files
are the same in every project: one for each kernel, and one for each subject that kernels share.
"""

from .autograd import *
from .common import *
from .custom import *
from .elementwise import *
from .facts import *
from .image import *
from .matmul import *
from .operators import *
from .rowwise import *
from .volume import *
