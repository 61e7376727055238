"""Load programs: saved programs, and SPIR-V and binaries of other compilers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from launchpath._programs.program import Program
from launchpath._programs.program_file import read_file
from launchpath._programs.recipe import load_by
from launchpath._shown import shown
from launchpath._streams.device import Device, as_device
from launchpath.errors import ArgumentValueError, CompileError, ConfigurationError, DriverError, OutOfMemoryError

if TYPE_CHECKING:
    from launchpath._accepted import DeviceLike
    from launchpath._compiler.image import Image
    from launchpath._compiler.spirv.foreign.adoption import Adopted
    from launchpath._compiler.spirv.module import Module
    from launchpath._compiler.target import Target

_SPIRV = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")  # the magic number, in either byte order

# What else may be in a file that is loaded by mistake, by how it begins.
_OTHERS = (
    (b"BC\xc0\xde", "LLVM bitcode: make SPIR-V of it with llvm-spirv"),
    (b"; SPIR-V", "SPIR-V's assembly: make SPIR-V of it with spirv-as"),
    (b"; ModuleID", "LLVM's assembly: make SPIR-V of it with llc -march=spirv64 -filetype=obj"),
    (
        b"\x7fELF",
        "an ELF file for no known GPU: a program, a host's object file (nvcc makes files that "
        "can be loaded with -fatbin, -cubin or -ptx), or a binary for another device",
    ),
    (b"\x1f\x8b", "compressed by gzip"),
)
# By what stands in its first part.
_TEXTS = (
    (b".target sm_", "PTX without .version or .address_size"),
    (b"__global__", "source: lp.compile takes that"),
    (b"__kernel", "OpenCL C: make SPIR-V of it with clang -target spirv64 -cl-std=CL2.0"),
)

_BUILDING = ("clCreateProgram", "clBuildProgram", "clCreateKernel")


def load(
    path_or_bytes: str | os.PathLike[str] | bytes,
    device: DeviceLike | None = None,
    signatures: Mapping[str, str] | None = None,
    *,
    dependent: bool = True,
) -> Program:
    """Load a program: a file that `Program.save` wrote, SPIR-V, or a binary for CUDA or HIP devices.

    A saved program is for the device and driver that it was saved on, and needs no compiler. SPIR-V is for any OpenCL
    device: for a device without SPIR-V it is rewritten as OpenCL C. It may come from any compiler for OpenCL (``clang
    -target spirv64``, llvm-spirv, SYCL's), with 64-bit addresses. Its kernels are launched like all others; a kernel
    with a pointer to local memory (at most one) gets the launch's shared memory through it, without an argument.

    CUDA devices take PTX, cubins and fat binaries (nvcc's, NVRTC's, Clang's, Triton's); HIP devices take HSACO and
    Clang's offload bundles, compressed ones too. OpenCL devices take the SPIR-V of a bundle. Of several binaries in a
    file the device's binary is used. The names of their kernels are those of the entry points, which are mangled unless
    they are ``extern "C"``. A binary has offsets and sizes of parameters; a mangled name and `signatures` add the
    types. A parameter of 8 bytes of an unknown type is an address (an array or `DevicePointer`), any other parameter
    takes a NumPy or ctypes value of its size.

    A saved program is native code, and SPIR-V becomes native code in this process, by a compiler that trusts it. Load
    only files that you trust as you would a program that you run.

    Parameters
    ----------
    path_or_bytes : path-like or bytes
        The file, or its content. Pass PTX in a str as ``text.encode()``.
    device : Device, int or str, optional
        A device, or an argument of `launchpath.device`; the current device if omitted.
    signatures : dict of str to str, optional
        For kernels of SPIR-V and of binaries: their parameters, as a C parameter list, by the kernel's name:
        ``{"saxpy": "const float *x, float *y, float a, int n"}``. Declarations of the types in it may stand before it:
        ``"struct P { int a; float b; }; P p, float *out"``. It must have the module's sizes; the pointer to local
        memory may be omitted. Without it names, types and sizes come from the module. A compiler may have omitted names
        (then they are ``arg0``, ``arg1``, ...) and signs of integers (then numbers count as signed, and a pointer to
        them accepts any element type). Reading a signature needs the packages of the extra ``compile``, as compiling
        does.
    dependent : bool
        Whether the kernels of a saved program may start while the kernel before them ends, if they were compiled so
        that they may; see `compile`. Kernels of SPIR-V and of other compilers' binaries never do.

    Returns
    -------
    Program

    Raises
    ------
    ArgumentValueError
        It is not such a file, or truncated or damaged, or was saved for another device or driver, or its kernels have
        parameters that a launch cannot pass (images, samplers, ...), or differ from `signatures`; the message has the
        reason.
    CompileError
        The device cannot run the module: it lacks a capability, or its driver refuses it; the message has the reason.
        Or the packages that read `signatures` are not installed; the message names them.
    ConfigurationError
        A kernel has more bytes of arguments than the device takes.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> program = lp.load("saxpy.lp")
    >>> program.saxpy[4, 256](x, y, 2.0, 1000)
    """
    from launchpath._compiler.cache.entry import MAGIC, is_entry  # noqa: PLC0415 (importing launchpath must stay fast)

    device = as_device(device)
    device.driver_device.refuse_forked()
    name = "the data"
    if isinstance(path_or_bytes, (bytes, bytearray, memoryview)):
        data = bytes(path_or_bytes)
    else:
        name = os.fsdecode(path_or_bytes)
        if "\n" in name:
            raise ArgumentValueError(
                f"expected a path, or a program's content as bytes, got a text of {len(name)} characters, "
                f"{name.strip()[:30]!r}...: pass it as text.encode(); a source is for launchpath.compile"
            )
        data = read_file(path_or_bytes)
    if data[:4] in _SPIRV:
        return _module(data, name, device, signatures)
    if data and not is_entry(data) and not MAGIC.startswith(data):
        from launchpath._compiler.binary import form  # noqa: PLC0415

        if shape := form.form_of(data):
            return _binary(data, shape, name, device, signatures)
        raise ArgumentValueError(
            f"{name}: expected SPIR-V, a binary for CUDA or HIP devices, or a program that launchpath saved: the file "
            f"begins with {_beginning(data)}"
        )
    if signatures is not None:
        raise ArgumentValueError(
            f"{name} is a saved program, which has its signatures: omit `signatures`, which is for SPIR-V and binaries"
        )
    return saved(data, name, device, dependent)


def _binary(
    data: bytes, shape: str, name: str, device: Device, signatures: Mapping[str, str] | None
) -> Program:  # fmt: skip
    from launchpath._compiler import target as targets  # noqa: PLC0415
    from launchpath._programs import device_binary  # noqa: PLC0415

    _check_signatures(signatures)
    target = targets.target_of(device.info)
    if shape == "bundle" and target.form not in (*targets.NATIVE, targets.SIMULATED):
        from launchpath._compiler.binary import bundle  # noqa: PLC0415

        return _module(bundle.spirv(data, name, device.name), name, device, signatures)
    return device_binary.program(data, shape, name, device, target, signatures)


def _check_signatures(signatures: object) -> None:
    if not isinstance(signatures, Mapping | None):
        raise TypeError(
            f"signatures: expected a dict of C parameter lists by kernel, got {type(signatures).__name__!r}"
        )
    for pair in (signatures or {}).items():
        if not all(isinstance(text, str) for text in pair):
            raise TypeError(f"signatures: expected a dict of C parameter lists by kernel, both str, got {shown(pair)}")


def _beginning(data: bytes) -> str:
    """Say how a file begins, and what it then is, if that is known."""
    head = " ".join(f"{byte:02x}" for byte in data[:8])
    text = data[:8].decode("ascii", "replace")
    shown = f"{text!r} ({head})" if text.isprintable() and text.isascii() else head
    forms = [form for start, form in _OTHERS if data.startswith(start)]
    forms += [form for word, form in _TEXTS if word in data[:65536] and b"\0" not in data[:65536]]
    return f"{shown}, {'which is ' if forms else 'and SPIR-V with 03 02 23 07'}{''.join(forms[:1])}"


# -- saved programs


def saved(data: bytes, name: str, device: Device, dependent: bool = True) -> Program:
    """Make the program that `Program.save` wrote; see `load`."""
    from launchpath._compiler.cache.entry import Entry  # noqa: PLC0415
    from launchpath._compiler.image import from_entry  # noqa: PLC0415
    from launchpath._compiler.target import device_identity  # noqa: PLC0415

    image = from_entry(Entry.decode(data, name), name)
    if not dependent:  # its kernels wait all the same, which costs nothing where they are launched as others are
        image = image._replace(waiting=frozenset())
    if image.kind == "spirv":
        image = _for_device(image, device, name)
    if image.kind != "binary" and not image.native:
        return Program(device, image, None, name)
    if image.device != device_identity(device.info):
        was = ", ".join(filter(None, (image.device.get(key) for key in ("name", "platform", "driver_version"))))
        now = device_identity(device.info)
        raise ArgumentValueError(
            f"{name} was saved for {was}; this device is {now['name']}, {now['platform']}, {now['driver_version']}: "
            "compile it again from its source"
        )
    try:
        return Program(device, image, None, name)
    except (CompileError, DriverError) as error:
        if not _is_refusal(error):
            raise
        raise ArgumentValueError(
            f"{name} was saved for this device, but the driver now refuses it ({error}): compile it again from its "
            "source"
        ) from error


load_by(saved)  # of pickles


def _is_refusal(error: CompileError | DriverError) -> bool:
    """Whether a driver refused a program; there are other reasons why making one can fail."""
    if isinstance(error, CompileError):
        return True
    return not isinstance(error, OutOfMemoryError) and error.call.startswith(_BUILDING)


def _for_device(image: Image, device: Device, name: str) -> Image:
    """Give a SPIR-V image in the form that the device takes."""
    from launchpath._compiler import target as targets  # noqa: PLC0415
    from launchpath._compiler.kernels.entry_name import entry_names  # noqa: PLC0415
    from launchpath._compiler.spirv.entry_points import rename  # noqa: PLC0415
    from launchpath._compiler.spirv.module import Module  # noqa: PLC0415

    target = targets.target_of(device.info)
    _check_kind(target, device, name)
    module = Module.decode(image.code)
    if target.takes_identifiers:
        named = entry_names([signature.name for _, signature in image.kernels], identifiers=True)
        entries = {entry: named[signature.name] for entry, signature in image.kernels}
        rename(module, entries)
        image = image._replace(
            kernels=tuple((entries[entry], signature) for entry, signature in image.kernels),
            users=frozenset(entries[entry] for entry in image.users),
        )
    kind, code = _code(module, target, device, name)
    return image._replace(kind=kind, code=code)


# -- SPIR-V


def _module(data: bytes, name: str, device: Device, signatures: Mapping[str, str] | None) -> Program:
    from launchpath._compiler import target as targets  # noqa: PLC0415
    from launchpath._compiler.image import Image, Symbol  # noqa: PLC0415
    from launchpath._compiler.kernels.entry_name import entry_names  # noqa: PLC0415
    from launchpath._compiler.spirv.foreign.adoption import adopt  # noqa: PLC0415

    parsed = {}
    _check_signatures(signatures)
    if signatures:
        from launchpath._compiler.process import pool  # noqa: PLC0415 (only sometimes needed)

        parsed = {
            kernel: pool.call(pool.SIGNATURE, f"signatures[{kernel!r}]", kernel, text)
            for kernel, text in signatures.items()
        }
    target = targets.target_of(device.info)
    _check_kind(target, device, name)
    adopted = adopt(data, name, parsed, partial(entry_names, identifiers=target.takes_identifiers))
    _check_capabilities(adopted, target, device, name)
    for _, signature in adopted.kernels:
        if signature.size > device.info["parameter_bytes"]:
            raise ConfigurationError(
                f"{name}: kernel {signature.name} has {signature.size} bytes of arguments; {device.name} takes "
                f"at most {device.info['parameter_bytes']}"
            )
    if adopted.undefined and target.form != targets.SPIRV:
        needs = ", ".join(adopted.undefined)
        raise CompileError(f"{name} declares functions without defining them, and {device.name!r} lacks them: {needs}")
    kind, code = _code(adopted.module, target, device, name)
    symbols = tuple(
        Symbol(symbol.name, symbol.offset, symbol.size, *adopted.variables.get(symbol.name, ("uint8", (symbol.size,))))
        for symbol in adopted.globals.symbols
    )
    block = adopted.globals
    initial = block.image[: block.initialized]
    image = Image(kind, code, adopted.kernels, symbols, initial, block.size, block.relocations, adopted.users)
    try:
        return Program(device, image, None, name)
    except (CompileError, DriverError) as error:
        if not _is_refusal(error):
            raise
        log = error.log if isinstance(error, CompileError) else ""
        problem = f"does not build for {device.name!r}:\n{log or error}"
        raise CompileError(f"{_described(adopted, name)} {problem}", log) from None


def _described(adopted: Adopted, name: str) -> str:
    """Say what of a module may be why a device refuses it."""
    version = adopted.module.version
    declared = f", which declares, but does not define, {', '.join(adopted.undefined)}" if adopted.undefined else ""
    return f"{name} (SPIR-V {version >> 16}.{version >> 8 & 255}{declared})"


def _check_capabilities(adopted: Adopted, target: Target, device: Device, name: str) -> None:
    from launchpath._compiler.spirv.capabilities import EXTENSIONS  # noqa: PLC0415
    from launchpath._compiler.spirv.enumerants import Capability  # noqa: PLC0415

    lacking = []
    for capability in adopted.capabilities:
        extensions = EXTENSIONS.get(capability, ())
        if missing := [extension for extension in extensions if extension not in target.extensions]:
            lacking.append(f"{Capability(capability).name} ({', '.join(missing)})")
    if Capability.GenericPointer in adopted.capabilities and target.form == "clc" and device.info["kind"] != "cpu":
        lacking.append("GenericPointer (a generic address space)")
    if lacking:
        raise CompileError(f"{name} needs features that {device.name!r} lacks: {', '.join(lacking)}")


def _check_kind(target: Target, device: Device, name: str) -> None:
    from launchpath._compiler.target import HIP, NATIVE, SIMULATED  # noqa: PLC0415

    if target.form in NATIVE:
        takes = "HSACO and Clang's offload bundles" if target.form == HIP else "PTX, cubins and fat binaries"
        raise CompileError(
            f"{name}: SPIR-V is for OpenCL devices; {device.name!r}, of {target.platform}, takes {takes}"
        )
    if target.form == SIMULATED:
        raise CompileError(f"{name}: {device.name!r} is simulated, and does not run SPIR-V")


def _code(module: Module, target: Target, device: Device, name: str) -> tuple[str, bytes]:
    """Give a module's code in the form that the device takes."""
    from launchpath._compiler.target import SPIRV  # noqa: PLC0415

    if target.form == SPIRV:
        return "spirv", module.encode()
    from launchpath._compiler import opencl_c  # noqa: PLC0415

    try:
        return "source", opencl_c.write(module, target.form, target.extensions).encode()
    except opencl_c.UnsupportedConstruct as error:
        if device.info.get("spirv"):
            return "spirv", module.encode()
        raise CompileError(f"{name}: {error}") from error
    except (LookupError, ValueError, StopIteration, AssertionError, AttributeError, TypeError, RecursionError) as error:
        problem = f"{type(error).__name__}: {error}"
        raise CompileError(f"{name} cannot be written as OpenCL C; it may be malformed SPIR-V ({problem})") from error
