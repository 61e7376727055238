"""Numba's CUDA kernels: an array argument becomes several parameters."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from launchpath import _core
from launchpath._compiler.signature import Parameter, pack
from launchpath._streams.foreign import attribute
from launchpath.errors import ArgumentValueError, SignatureError
from launchpath.interop.adopted import Adopted, AdoptedParameter, AdoptedSignature, Expansion, adopted
from launchpath.interop.devices import gpu
from launchpath.interop.raw import function

if TYPE_CHECKING:
    from launchpath._streams.device import Device

_SUBJECT = "a compiled kernel of Numba"
# Of an array, before shape and strides.
_FIELDS = ("memory", "parent", "elements", "itemsize")

# Makes an argument's values; None: it is its only value as it is.
Convert = Callable[[Any], tuple[Any, ...]] | None


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
        attribute(chosen, "bind", subject=_SUBJECT)()  # loads it, and sets its module up
        loaded = attribute(
            attribute(chosen, "_codelibrary", "library", subject=_SUBJECT), "get_cufunc", subject=_SUBJECT
        )()
    handle = function(attribute(loaded, "handle", subject=_SUBJECT), device)
    reader = _Reader(_name(chosen), device)
    for i, type_ in enumerate(attribute(chosen, "argument_types", "argtypes", subject=_SUBJECT)):
        reader.read(type_, names[i] if i < len(names) else f"arg{i}")
    return adopted(
        device,
        handle,
        reader.signature(),
        foreign=kernel,
        library="numba",
        cooperative=bool(getattr(chosen, "cooperative", False)),
        expansion=reader.expansion() if reader.expands else None,
    )


def _compiled(kernel: Any) -> tuple[Any, Sequence[str]]:
    """Give the one compiled kernel of a dispatcher, and its parameters' names."""
    if not hasattr(kernel, "overloads"):
        kernel = getattr(kernel, "dispatcher", kernel)  # kernel[grid, block]
    if not hasattr(kernel, "overloads"):
        return kernel, _names(kernel)
    overloads = dict(kernel.overloads)
    if len(overloads) != 1:
        types_text = ", ".join(str(tuple(map(str, types))) for types in overloads) or "no types yet"
        raise ArgumentValueError(
            f"{kernel!r} is compiled for {types_text}: adopt a single specialization, kernel.specialize(*arguments) or "
            "kernel.overloads[types]"
        )
    return next(iter(overloads.values())), _names(kernel)


def _names(kernel: Any) -> Sequence[str]:
    """Name the parameters, if the function is at hand: a kernel from Numba's cache on disk has it no more."""
    code = getattr(getattr(kernel, "py_func", None), "__code__", None)
    return code.co_varnames[: code.co_argcount] if code else ()


def _name(kernel: Any) -> str:
    name = getattr(getattr(kernel, "py_func", None), "__name__", None)
    return str(name or getattr(kernel, "entry_name", "kernel"))


class _Reader:
    """Reads Numba's types: what the kernel's parameters are, and how arguments become them."""

    def __init__(self, name: str, device: Device) -> None:
        self.name, self.device = name, device
        self.expands = False  # arguments are not the parameters
        self._arguments: list[_Argument] = []
        self._nest: list[Any] = []  # for each argument its conversion, or a list of these for a tuple

    def read(self, type_: Any, called: str) -> None:
        self._nest.append(self._read(type_, called, len(self._nest)))

    def _read(self, type_: Any, called: str, index: int) -> Any:
        kinds = {kind.__name__ for kind in type(type_).__mro__}
        text = str(type_)
        if "BaseTuple" in kinds:
            self.expands = True
            return [self._read(each, f"{called}[{i}]", index) for i, each in enumerate(type_)]
        if "Array" in kinds:
            return self._add(_Argument(index, called, text, _array_parts(type_, called)), _array(self, type_, called))
        if "CPointer" in kinds or "Record" in kinds:
            return self._number(index, called, "void *", "pointer", 8)
        if "Boolean" in kinds:
            return self._number(index, called, "bool", "bool", 1)
        if "Integer" in kinds and text in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
            return self._number(index, called, f"{text}_t", text, int(text.lstrip("uint")) // 8)
        if text in ("float16", "float32", "float64"):
            ctype = {"float16": "__half", "float32": "float", "float64": "double"}[text]
            return self._number(index, called, ctype, text, int(text[5:]) // 8)
        if text in ("complex64", "complex128"):
            half = int(text[7:]) // 16
            parts = [_Part(f"{called}.{part}", text, f"float{8 * half}", half) for part in ("real", "imag")]
            return self._add(_Argument(index, called, text, parts), _complex)
        raise ArgumentValueError(
            f"{self.name}: parameter {called!r} is of Numba's type {text}, which launchpath does not support: it "
            "supports arrays, numbers, pointers, and tuples of them"
        )

    def _number(self, index: int, called: str, ctype: str, kind: str, size: int) -> Convert:
        return self._add(_Argument(index, called, ctype, [_Part(called, ctype, kind, size)]), None)

    def _add(self, argument: _Argument, convert: Convert) -> Convert:
        self._arguments.append(argument)
        self.expands = self.expands or convert is not None
        return convert

    def signature(self) -> AdoptedSignature:
        """Of the values that the kernel is launched with."""
        rows = [(argument, part) for argument in self._arguments for part in argument.parts]
        offsets, size = pack([(part.size, part.size) for _, part in rows])
        parameters = [
            AdoptedParameter(
                part.name, part.ctype, part.kind, part.size, part.size, offset, None, part.const,
                argument=argument.index if self.expands else None,
            )
            for (argument, part), offset in zip(rows, offsets, strict=True)
        ]  # fmt: skip
        return AdoptedSignature(self.name, tuple(parameters), size, 0, True)

    def expansion(self) -> Expansion:
        """How the values are made of the arguments."""
        name, nest = self.name, tuple(self._nest)

        def values(args: tuple[Any, ...]) -> tuple[Any, ...]:
            if len(args) != len(nest):
                raise SignatureError(f"{name}: expected {len(nest)} arguments, got {len(args)}")
            flat: list[Any] = []
            for convert, value in zip(nest, args, strict=True):
                if convert is None:
                    flat.append(value)
                elif isinstance(convert, list):
                    _flatten(name, convert, value, flat)
                else:
                    flat += convert(value)
            return tuple(flat)

        sizes = [(sum(part.size for part in argument.parts), argument.parts[0].size) for argument in self._arguments]
        offsets, end = pack(sizes)
        parameters = []
        for argument, (size, align), offset in zip(self._arguments, sizes, offsets, strict=True):
            kind = "struct" if argument.parts[1:] else argument.parts[0].kind
            parameters.append(Parameter(argument.name, argument.ctype, kind, size, align, offset))
        return Expansion(AdoptedSignature(self.name, tuple(parameters), end, 0, True), values)


@dataclass(frozen=True, slots=True)
class _Part:
    """A parameter of the compiled kernel."""

    name: str
    ctype: str
    kind: str
    size: int
    const: bool = False


@dataclass(frozen=True, slots=True)
class _Argument:
    """What a caller gives, or a member of a tuple that a caller gives, and the parameters that it becomes."""

    index: int  # of the caller's argument
    name: str
    ctype: str
    parts: Sequence[_Part]


def _flatten(name: str, nest: list[Any], value: Any, to: list[Any]) -> None:
    if not isinstance(value, (tuple, list)) or len(value) != len(nest):
        raise SignatureError(f"{name}: expected a tuple of {len(nest)}, got {value!r}")
    for convert, member in zip(nest, value, strict=True):
        if isinstance(convert, list):
            _flatten(name, convert, member, to)
        elif convert is None:
            to.append(member)
        else:
            to += convert(member)


def _complex(value: Any) -> tuple[float, float]:
    number = complex(value)
    return number.real, number.imag


def _array_parts(type_: Any, called: str) -> list[_Part]:
    """Give the parameters that an array becomes."""
    numbers = [*_FIELDS, *(f"{attribute}[{i}]" for attribute in ("shape", "strides") for i in range(int(type_.ndim)))]
    parts = [_Part(f"{called}.{name}", "int64_t", "int64", 8) for name in numbers]
    parts.insert(len(_FIELDS), _Part(called, str(type_), "pointer", 8, const=not getattr(type_, "mutable", True)))
    return parts


def _array(reader: _Reader, type_: Any, called: str) -> Callable[[Any], tuple[Any, ...]]:
    """Make the function that gives an array as Numba has it in a kernel's parameters."""
    name, ndim = reader.name, int(type_.ndim)
    dtype, layout = str(type_.dtype).replace("boolean", "bool"), getattr(type_, "layout", "A")
    where = f"{name}: parameter {called!r} ({type_})"

    def converted(value: Any) -> tuple[Any, ...]:
        memory, shape, strides, itemsize, element = _described(value, where)
        if len(shape) != ndim or (element is not None and element != dtype and dtype in _core_dtypes()):
            raise SignatureError(f"{where}: expected {ndim} axes of {dtype}, got {len(shape)} of {element}")
        contiguous = _strides(shape, itemsize, layout == "F")
        if strides is None:
            strides = _strides(shape, itemsize, False)
        if layout in ("C", "F") and any(
            stride != dense for stride, dense, extent in zip(strides, contiguous, shape, strict=True) if extent > 1
        ):
            raise SignatureError(f"{where}: expected a contiguous array in order {layout}, got strides {strides}")
        return (0, 0, math.prod(shape), itemsize, memory, *shape, *strides)

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


class _Memory:
    """An array's memory, without its strides: the kernel gets these as numbers."""

    __slots__ = ("__cuda_array_interface__", "_array")

    def __init__(self, array: Any, interface: dict[str, Any]) -> None:
        self._array = array
        self.__cuda_array_interface__ = interface | {"strides": None}


def _described(value: Any, where: str) -> tuple[Any, tuple[int, ...], Sequence[int] | None, int, str | None]:
    """Memory, shape, strides, bytes of an element and dtype of an array on the device.

    The memory is the array itself, or stands for it. So the launch knows what it uses: it keeps the array, and a step
    sees memory of other libraries.
    """
    if isinstance(value, _core.ArrayBase):
        return value, value.shape, None, value.dtype.itemsize, value.dtype.name
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is None:
        raise SignatureError(
            f"{where}: expected an array on the device (launchpath's, or with __cuda_array_interface__), got "
            f"{type(value).__name__}"
        )
    import numpy as np  # noqa: PLC0415

    dtype, strides = np.dtype(interface["typestr"]), interface.get("strides")
    memory = value if strides is None else _Memory(value, interface)
    return memory, tuple(interface["shape"]), strides, dtype.itemsize, dtype.name
