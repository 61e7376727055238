"""Numba's CUDA kernels: an array argument becomes several parameters."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from launchpath import _core
from launchpath._compiler.signature import Parameter, pack
from launchpath._streams.foreign import attribute
from launchpath.errors import ArgumentValueError, SignatureError
from launchpath.interop.adopted import Adopted, AdoptedSignature, adopted
from launchpath.interop.devices import gpu
from launchpath.interop.raw import function

if TYPE_CHECKING:
    from launchpath._streams.device import Device

_WHAT = "a compiled kernel of Numba"
_BEFORE = 5  # of an array, before shape and strides: memory information, parent, elements, bytes of one, address

# A parameter's (name, C type, kind, sizes of the driver's own parameters, NumPy's name of a pointee), and what makes
# its value of the one given, if it is not taken as it is.
Row = tuple[str, str, str, tuple[int, ...], str | None]
Convert = Callable[[Any], Any] | None


def adopt(kernel: Any, signature: str | None, device: Device | None) -> Adopted:
    """Adopt what ``@cuda.jit`` made, compiled for one list of types."""
    if signature is not None:
        raise ArgumentValueError("a kernel of Numba knows its parameters: omit the signature")
    chosen, names = _compiled(kernel)
    if getattr(chosen, "extensions", None):
        raise ArgumentValueError(
            f"{_name(chosen)} has Numba's extensions, which change arguments: launch it with Numba"
        )
    library = sys.modules.get("numba.cuda")
    ordinal = None if device is not None or library is None else int(library.get_current_device().id)
    device = gpu(device, ordinal, "cuda")
    with nullcontext() if library is None else library.gpus[device.info["ordinal"]]:
        attribute(chosen, "bind", what=_WHAT)()  # loads it, and sets its module up
        loaded = attribute(attribute(chosen, "_codelibrary", "library", what=_WHAT), "get_cufunc", what=_WHAT)()
    handle = function(attribute(loaded, "handle", what=_WHAT), device)
    reader = _Reader(_name(chosen), device)
    types = tuple(attribute(chosen, "argument_types", "argtypes", what=_WHAT))
    for i, type_ in enumerate(types):
        reader.read(type_, names[i] if i < len(names) else f"arg{i}")
    return adopted(
        device,
        handle,
        reader.signature(),
        foreign=kernel,
        library="numba",
        cooperative=bool(getattr(chosen, "cooperative", False)),
        expand=reader.expand() if any(reader.converts) or len(reader.rows) != len(types) else None,
    )


def _compiled(kernel: Any) -> tuple[Any, Sequence[str]]:
    """Give the one compiled kernel of a dispatcher, and its parameters' names."""
    if not hasattr(kernel, "overloads"):
        kernel = getattr(kernel, "dispatcher", kernel)  # kernel[grid, block]
    if not hasattr(kernel, "overloads"):
        return kernel, _names(kernel)
    overloads = dict(kernel.overloads)
    if len(overloads) != 1:
        known = ", ".join(str(tuple(map(str, types))) for types in overloads) or "no types yet"
        raise ArgumentValueError(
            f"{kernel!r} is compiled for {known}: adopt a single specialization, kernel.specialize(*arguments) or "
            "kernel.overloads[types]"
        )
    return next(iter(overloads.values())), _names(kernel)


def _names(kernel: Any) -> Sequence[str]:
    """Name the parameters, if the function is at hand: a kernel from Numba's cache on disk has it no more."""
    code = getattr(getattr(kernel, "py_func", None), "__code__", None)
    return code.co_varnames[: code.co_argcount] if code else ()


def _name(kernel: Any) -> str:
    found = getattr(getattr(kernel, "py_func", None), "__name__", None)
    return str(found or getattr(kernel, "entry_name", "kernel"))


class _Reader:
    """Reads Numba's types: what the kernel's parameters are, and how values become them."""

    def __init__(self, name: str, device: Device) -> None:
        self.name, self.device = name, device
        self.rows: list[Row] = []
        self.converts: list[Convert] = []
        self._nest: list[Any] = []  # for each argument its converter, or a list of these for a tuple

    def read(self, type_: Any, called: str) -> None:
        self._nest.append(self._read(type_, called))

    def _read(self, type_: Any, called: str) -> Any:
        kinds = {kind.__name__ for kind in type(type_).__mro__}
        text = str(type_)
        if "BaseTuple" in kinds:
            return [self._read(one, f"{called}[{i}]") for i, one in enumerate(type_)]
        if "Array" in kinds:
            sizes = (8,) * (_BEFORE + 2 * type_.ndim)
            return self._add((called, text, "struct", sizes, None), _array(self, type_, called))
        if "CPointer" in kinds or "Record" in kinds:
            return self._add((called, "void *", "pointer", (8,), None), None)
        if "Boolean" in kinds:
            return self._add((called, "bool", "bool", (1,), None), None)
        if "Integer" in kinds and text in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
            return self._add((called, f"{text}_t", text, (int(text.lstrip("uint")) // 8,), None), None)
        if text in ("float16", "float32", "float64"):
            ctype = {"float16": "__half", "float32": "float", "float64": "double"}[text]
            return self._add((called, ctype, text, (int(text[5:]) // 8,), None), None)
        if text in ("complex64", "complex128"):
            half = int(text[7:]) // 16
            return self._add((called, text, "struct", (half, half), None), _complex(half))
        raise ArgumentValueError(
            f"{self.name}: parameter {called!r} is of Numba's type {text}, which launchpath does not support: it "
            "supports arrays, numbers, pointers, and tuples of them"
        )

    def _add(self, row: Row, convert: Convert) -> Convert:
        self.rows.append(row)
        self.converts.append(convert)
        return convert

    def signature(self) -> AdoptedSignature:
        offsets, size = pack([(sum(row[3]), row[3][0]) for row in self.rows])
        parameters, places = [], []
        for (called, ctype, kind, sizes, pointee), offset in zip(self.rows, offsets, strict=True):
            parameters.append(Parameter(called, ctype, kind, sum(sizes), sizes[0], offset, pointee))
            places += [(offset + sum(sizes[:i]), sizes[i]) for i in range(len(sizes))]
        return AdoptedSignature(self.name, tuple(parameters), size, 0, True, places=tuple(places))

    def expand(self) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
        """Give a function that makes the parameters' values of the arguments."""
        name, nest = self.name, tuple(self._nest)

        def expanded(args: tuple[Any, ...]) -> tuple[Any, ...]:
            if len(args) != len(nest):
                raise SignatureError(f"{name}: expected {len(nest)} arguments, got {len(args)}")
            values: list[Any] = []
            for convert, value in zip(nest, args, strict=True):
                if convert is None:
                    values.append(value)
                elif isinstance(convert, list):
                    _flatten(name, convert, value, values)
                else:
                    values.append(convert(value))
            return tuple(values)

        return expanded


def _flatten(name: str, nest: list[Any], value: Any, to: list[Any]) -> None:
    if not isinstance(value, (tuple, list)) or len(value) != len(nest):
        raise SignatureError(f"{name}: expected a tuple of {len(nest)}, got {value!r}")
    for convert, one in zip(nest, value, strict=True):
        if isinstance(convert, list):
            _flatten(name, convert, one, to)
        else:
            to.append(one if convert is None else convert(one))


def _complex(half: int) -> Callable[[Any], bytes]:
    form = struct.Struct("<2f" if half == 4 else "<2d")
    return lambda value: form.pack(complex(value).real, complex(value).imag)


def _array(reader: _Reader, type_: Any, called: str) -> Callable[[Any], bytes]:
    """Make the function that gives an array as Numba has it in a kernel's parameters."""
    name, device, ndim = reader.name, reader.device, int(type_.ndim)
    dtype, layout = str(type_.dtype).replace("boolean", "bool"), getattr(type_, "layout", "A")
    form = struct.Struct(f"<{_BEFORE + 2 * ndim}q")
    where = f"{name}: parameter {called!r} ({type_})"

    def converted(value: Any) -> bytes:
        address, shape, strides, itemsize, given = _described(value, where, device)
        if len(shape) != ndim or (given is not None and given != dtype and dtype in _core_dtypes()):
            raise SignatureError(f"{where}: expected {ndim} axes of {dtype}, got {len(shape)} of {given}")
        contiguous = _strides(shape, itemsize, layout == "F")
        if strides is None:
            strides = _strides(shape, itemsize, False)
        if layout in ("C", "F") and any(
            one != other for one, other, extent in zip(strides, contiguous, shape, strict=True) if extent > 1
        ):
            raise SignatureError(f"{where}: expected a contiguous array in order {layout}, got strides {strides}")
        size = 1
        for extent in shape:
            size *= extent
        return form.pack(0, 0, size, itemsize, address, *shape, *strides)

    return converted


def _core_dtypes() -> tuple[str, ...]:
    return ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32",
            "float64", "complex64", "complex128")  # fmt: skip


def _strides(shape: Sequence[int], itemsize: int, first: bool) -> list[int]:
    """Bytes from an element to the next along each axis of a contiguous array; the first's are least if `first`."""
    strides, step = [0] * len(shape), itemsize
    for axis in range(len(shape)) if first else range(len(shape) - 1, -1, -1):
        strides[axis] = step
        step *= shape[axis]
    return strides


def _described(
    value: Any, where: str, device: Device
) -> tuple[int, tuple[int, ...], Sequence[int] | None, int, str | None]:
    """Address, shape, strides, bytes of an element and dtype of an array on the device."""
    if isinstance(value, _core.ArrayBase):
        if value.device is not device:
            raise ArgumentValueError(
                f"{where}: the array is on {value.device.info['name']!r}, the kernel on {device.name!r}: copy it there"
            )
        if value.allocation.freed:
            raise _core.freed_error(value, f"{where}: ")
        return value.pointer, value.shape, None, value.dtype.itemsize, value.dtype.name
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is None:
        raise SignatureError(
            f"{where}: expected an array on the device (launchpath's, or with __cuda_array_interface__), got "
            f"{type(value).__name__}"
        )
    import numpy as np  # noqa: PLC0415

    dtype = np.dtype(interface["typestr"])
    address = int(interface["data"][0])
    ordinal = device.driver_device.device_of(address) if address else None
    if ordinal is not None and ordinal != device.info["ordinal"]:
        raise ArgumentValueError(f"{where}: the array is on device {ordinal}, the kernel on {device.info['ordinal']}")
    return address, tuple(interface["shape"]), interface.get("strides"), dtype.itemsize, dtype.name
