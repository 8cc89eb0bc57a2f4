# EDIT: what csrc/ uses of others, or of yours: folders of headers, as seen from the repository, and
# arguments of the linker. CUB and Thrust come with nvcc, and need neither. For example
#     INCLUDE_DIRS = ["third_party/cutlass/include"]
#     LINK_ARGS = ["-lcublas"]
INCLUDE_DIRS: list[str] = []
LINK_ARGS: list[str] = []
