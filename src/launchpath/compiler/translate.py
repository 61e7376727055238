"""HIP/CUDA C++ to OpenCL: each kernel a device function, called by a generated OpenCL kernel.

The generated kernel ``__lp_NAME`` has one by-value parameter, the packed block of arguments in CUDA's layout
(none if the kernel takes none), and one last ``__local`` parameter if there is dynamic shared memory.
"""

from __future__ import annotations

from . import shared
from .edits import all_edits
from .facts import Kernel, Unit
from .names import INTERNAL_PREFIX, KERNEL_PREFIX, RENAMED_PREFIX, intrinsics, kernel_name, prelude
from .remap import GENERATED, remap_log
from .signature import Parameter
from .text import apply

__all__ = ["KERNEL_PREFIX", "kernel_name", "remap_log", "to_opencl"]

_PRELUDES = {
    "clc++": ("clcpp.h", "generic.h", "common.h", "math.h", "atomic.h"),
    "clc-generic": ("clc.h", "generic.h", "common.h", "math.h", "atomic.h"),
    "clc": ("clc.h", "flat.h", "common.h", "math.h", "atomic.h"),
}
DIALECTS = tuple(_PRELUDES)


def to_opencl(unit: Unit, dialect: str) -> str:
    """OpenCL source of a parsed unit.

    Parameters
    ----------
    unit : Unit
        From `parse`.
    dialect : str
        ``clc++`` for C++ for OpenCL 2021 (build with ``-cl-std=CLC++2021``), ``clc-generic`` for OpenCL C 2.0 or
        3.0, both with a generic address space, or ``clc`` for OpenCL C 1.2 on a CPU device, whose address spaces
        are one flat space.

    Returns
    -------
    str
        Builds without further options; its messages are at the source's own lines, see `remap_log`.

    Raises
    ------
    CompileError
        For what this dialect cannot express and the device's compiler would not explain.
    ValueError
        If there is no such dialect.
    """
    if dialect not in DIALECTS:
        raise ValueError(f"dialect must be one of {', '.join(DIALECTS)}, not {dialect!r}")
    name = unit.name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    body = apply(unit.source, all_edits(unit, dialect)).decode()
    head = "\n".join([*_before(unit, dialect), f'#line 1 "{name}"'])
    tail = "\n".join(part for kernel in unit.kernels.values() for part in _generated(unit, kernel, dialect))
    text = f"{head}\n{body}\n{tail}\n"
    unit.translated = dialect, text
    return text


def _before(unit: Unit, dialect: str) -> list[str]:
    """Everything before the source's first line: prelude, macros, renames and, in C, names of structs."""
    uses = sorted(name for name in unit.identifiers if name.isidentifier())
    text = [f"#define {INTERNAL_PREFIX}uses_{name}" for name in uses if f"uses_{name}\n" in prelude("math.h")]
    text += [f"#define {INTERNAL_PREFIX}uses_{name}" for name in ("min", "max") if name in unit.identifiers]
    if any(name.startswith("make_") for name in uses):
        text.append(f"#define {INTERNAL_PREFIX}uses_make")
    text += [f"#define {name} {INTERNAL_PREFIX}{name}" for name in intrinsics()]
    text.append('#line 1 "launchpath prelude"')
    files = [name for name in _PRELUDES[dialect] if name != "atomic.h" or _has_atomics(unit)]
    text += [prelude(name) for name in files]
    text += ["#define __HIPCC__ 1", "#define __HIP_DEVICE_COMPILE__ 1", "#define __LAUNCHPATH__ 1"]
    for name in unit.renamed:
        text += [f"#undef {name}", f"#define {name} {RENAMED_PREFIX}{name}"]
    for name, value in unit.defines.items():
        text.append(f"#define {name} {1 if value is None else value}")
    if dialect != "clc++":
        text += [f"typedef {kind} {tag} {tag};" for kind, tag in dict.fromkeys(unit.tags)]
    return text


def _has_atomics(unit: Unit) -> bool:
    return any(name.startswith("atomic") for name in unit.identifiers)


def _generated(unit: Unit, kernel: Kernel, dialect: str) -> list[str]:
    """Write the OpenCL kernel that unpacks the block and calls the user's function."""
    signature = kernel.signature
    name = signature.name
    label = name.replace("::", "__")
    block = f"{INTERNAL_PREFIX}block_{label}"
    line = f'#line {kernel.line} "{GENERATED}{name}"'
    text: list[str] = []
    parameters, arguments = [], []
    if signature.parameters:
        text.append(
            f"struct {block} {{ unsigned char bytes[{signature.size}]; }} __attribute__((aligned({signature.align})));"
        )
        parameters.append(f"struct {block} {INTERNAL_PREFIX}block")
        arguments = [
            _argument(parameter, of, dialect) for parameter, of in zip(signature.parameters, kernel.types, strict=True)
        ]
        for parameter, of in zip(signature.parameters, kernel.types, strict=True):
            message = f"parameter '{parameter.name}' of kernel '{name}' has another layout on this device"
            if parameter.kind == "struct":
                for same in (f"sizeof({of}) == {parameter.size}", f"__alignof__({of}) <= {parameter.align}"):
                    text += [line, f'static_assert({same}, "{message}");']
    memory = []
    if signature.shared:
        aligned = f"__attribute__((aligned({shared.alignment(unit, name)})))"
        memory.append(f"  __local char {shared.STATIC}[{signature.shared}] {aligned};")
        arguments.append(shared.STATIC)
    if signature.dynamic_shared:
        # A driver aligns the memory for what the parameter points to: NVIDIA's would begin it at any byte for char.
        parameters.append(f"__local {INTERNAL_PREFIX}aligned *{shared.DYNAMIC}")
        arguments.append(f"(__local char *){shared.DYNAMIC}")
    text += [line, f"__kernel void {kernel_name(name)}({', '.join(parameters)}) {{"]
    text += memory
    text += [line, f"  {name}({', '.join(arguments)});", line, "}"]
    return text


def _argument(parameter: Parameter, of: str, dialect: str) -> str:
    at = f"((char *)&{INTERNAL_PREFIX}block + {parameter.offset})"
    if parameter.kind != "pointer":
        return f"*({of} *){at}"
    if dialect == "clc":
        return f"({of})*(unsigned long *){at}"
    # By way of __global: a compiler then knows where a generic pointer points.
    return f"({of})(__global char *)*(unsigned long *){at}"
