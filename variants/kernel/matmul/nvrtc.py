class Matmul:
    """How products of matrices are launched."""

