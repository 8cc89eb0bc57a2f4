def architectures(library: Path) -> set[tuple[str, int]]:
    """Return what a library holds for GPUs: machine code as ("sm", 90), PTX as ("compute", 90).

    It is in blocks with a magic number, a version and a size, whose parts begin with their kind, sizes
    and architecture. NVIDIA does not document that; `cuobjdump --list-elf --list-ptx` shows the same.
    """
    data, found = library.read_bytes(), set()
    for block in re.finditer(rb"\x50\xed\x55\xba\x01\x00\x10\x00", data):
        at = block.end() + 8
        end = at + int.from_bytes(data[block.end() : at], "little")
        while at < end:
            kind, _, header, size, architecture = struct.unpack_from("<HHIQ12xI", data, at)
            found.add(("compute" if kind == 1 else "sm", architecture))
            at += header + size or len(data)
    return found


def runs_on(capability: int, kind: str, number: int) -> bool:
    """Whether a GPU runs code: PTX of an older one, and machine code of one with its major version."""
    return number <= capability and (kind == "compute" or number // 10 == capability // 10)


# The compute capability of each GPU, 90 for 9.0.
CAPABILITIES = """
import torch
for index in range(torch.cuda.device_count()):
    print("sm_%d%d" % torch.cuda.get_device_capability(index))
"""


def code() -> str:
    """Say which GPUs the library has code for; refuse one that lacks a GPU's here."""
    from .{{ '_library' if compiled_wheels else '_build' }} import find_library

    path = find_library()
    if sys.platform == "linux" and b"libstdc++.so" not in path.read_bytes():
        raise Finding(
            f"{path} has a C++ library of its own, which disagrees with PyTorch's in messages",
            "export CC=/usr/bin/gcc CXX=/usr/bin/g++ CUDAHOSTCXX=/usr/bin/g++",
            {{ from_nothing }},
        )
    found = architectures(path)
    names = ", ".join(sorted(f"{kind}_{number}" for kind, number in found)) or "the CPU alone"
    cuda = pytorch_facts().get("cuda") and not asked_for("CPU_ONLY")
    said = ran(sys.executable, "-c", CAPABILITIES)[1] if cuda else ""
    for capability in map(int, re.findall(r"^sm_(\d+)$", said, re.MULTILINE)):
        if not any(runs_on(capability, *code) for code in found):
            problem = f"{path} is compiled for {names}, and a GPU here is sm_{capability}"
            raise Finding(problem, {{ for_gpu }})
    hint = "; if that is meant, export CPU_ONLY=1" if cuda and not found else ""
    return f"compiled for {names}{hint}"
