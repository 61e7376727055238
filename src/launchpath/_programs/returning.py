"""Kernels that return values: launched without the returned parameters, which are in a `Result`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, SupportsIndex
from weakref import WeakKeyDictionary

import numpy as np

from launchpath import _core
from launchpath._listed import Listed
from launchpath._memory import host_memory
from launchpath._memory.element import element
from launchpath._programs.documented import Documented
from launchpath._programs.result import ALIGN, Field, Result, ResultMemory
from launchpath._shown import shown
from launchpath._streams.stream import Stream
from launchpath._streams.stream_argument import as_stream
from launchpath.errors import (
    ArgumentValueError,
    AsynchronousError,
    ConfigurationError,
    DriverError,
    OutOfMemoryError,
    SignatureError,
)

if TYPE_CHECKING:
    from launchpath._accepted import Argument, Extents, StreamLike
    from launchpath._compiler.signature import Parameter, Signature
    from launchpath._programs.kernel import Kernel
    from launchpath._streams.device import Device


class Returning(Listed):
    """A kernel that returns parameters: ``returning[grid, block, stream, shared](*others)`` gives a `Result`.

    Made by `Kernel.returning`, never directly.

    Attributes
    ----------
    kernel : Kernel
        The kernel itself.
    zero : bool
        Whether what it returns is 0 before each launch.
    initial : dict of str to numpy scalar
        By parameter, what it returns before each launch; empty: 0 or undefined, as `zero` says.
    """

    kernel: Kernel
    zero: bool
    initial: dict[str, Any]

    def _described(self) -> str:
        passed = ", ".join(map(str, self._passed))
        lines = [f"{self.name}({passed}) returns {', '.join(map(_typed, self._fields))}", ""]
        lines += [
            "passed, type, bytes:",
            *(f"    {parameter.name}: {parameter.ctype}, {parameter.size}" for parameter in self._passed),
        ]
        lines += [
            "returned, type, shape:",
            *(f"    {field.name}: {field.dtype}, {field.shape}" for field in self._fields),
        ]
        return "\n".join(lines)

    __doc__ = Documented(__doc__, _described)

    def __init__(self, kernel: Kernel, fields: tuple[Field, ...], zero: bool, initial: dict[str, Any]) -> None:
        vars(self).update(kernel=kernel, zero=zero, initial=initial)
        self._starts = [
            (field.offset, initial[field.name].tobytes(), field.nbytes) for field in fields if field.name in initial
        ]
        self._fields = fields
        self._cooperative: Returning | None = None
        returned = {field.index for field in fields}
        self._passed = [parameter for i, parameter in enumerate(kernel.signature.parameters) if i not in returned]
        self._count = len(self._passed)
        self._memories: WeakKeyDictionary[Stream, ResultMemory] = WeakKeyDictionary()  # a stream's goes with it

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self.kernel.name

    @property
    def device(self) -> Device:
        """The kernel's device."""
        return self.kernel.device

    @property
    def signature(self) -> Signature:
        """The kernel's signature, returned parameters included."""
        return self.kernel.signature

    @property
    def cooperative(self) -> Returning:
        """The same, launched cooperatively: see `Kernel.cooperative`."""
        if self._cooperative is None:
            self._cooperative = Returning(self.kernel.cooperative, self._fields, self.zero, self.initial)
        return self._cooperative

    def bind(
        self, grid: Extents, block: Extents, shared: SupportsIndex = 0, stream: StreamLike | None = None
    ) -> ReturningLauncher:
        """Make a launch to keep, as `Kernel.bind` does: call it with the arguments that are not returned."""
        return self[grid, block, stream, shared]

    def over(
        self, n: Extents, block: Extents = 256, shared: SupportsIndex = 0, stream: StreamLike | None = None
    ) -> ReturningLauncher:
        """Make a launch over `n` elements, as `Kernel.over` does. With 0 elements results are what they start with.

        Raises
        ------
        ConfigurationError
            There are 0 elements, and neither `zero` nor `initial` sets each result: no kernel would write them.
        """
        stream = None if stream is None else as_stream(stream, self.device)
        launcher = self.kernel.over(n, block, shared, stream)
        unset = [field.name for field in self._fields if not self.zero and field.name not in self.initial]
        if unset and 0 in (n if isinstance(n, (tuple, list)) else (n,)):
            raise ConfigurationError(
                f"{self.name}.over: expected at least 1 element, as the kernel writes {', '.join(unset)}, got "
                f"{shown(n)}: use returning(..., zero=True), whose results are 0 then, or initial=..., or launch "
                "nothing"
            )
        return ReturningLauncher(self, launcher, stream)

    def occupancy(self, block: Extents, shared: SupportsIndex = 0) -> int:
        """How many blocks of the kernel run on one compute unit at a time: see `Kernel.occupancy`."""
        return self.kernel.occupancy(block, shared)

    def suggest_block(self, shared: SupportsIndex = 0, most: SupportsIndex | None = None) -> tuple[int, int]:
        """Threads of a block, and blocks, that keep the device busiest: see `Kernel.suggest_block`."""
        return self.kernel.suggest_block(shared, most)

    def argument_counts(self) -> dict[str, int]:
        """What was done with the arguments that the kernel takes from device memory: see `Kernel.argument_counts`."""
        return self.kernel.argument_counts()

    def __getitem__(
        self,
        key: tuple[Extents, Extents]
        | tuple[Extents, Extents, StreamLike | None]
        | tuple[Extents, Extents, StreamLike | None, SupportsIndex],
    ) -> ReturningLauncher:
        """Make a launcher, as the kernel does."""
        stream = None
        if isinstance(key, tuple) and len(key) > 2 and key[2] is not None:
            stream = as_stream(key[2], self.device)  # found once, for launch and copy alike
            key = (*key[:2], stream, *key[3:])
        return ReturningLauncher(self, self.kernel[key], stream)

    if not TYPE_CHECKING:  # type checkers refuse it as well

        def __call__(self, *args: Any, **kwargs: Any) -> None:
            """Refuse: a kernel is launched with a grid and a block."""
            raise TypeError(
                f"{self.name}: expected a grid and a block, {self.name}.returning(...)[grid, block](...), or "
                f"{self.name}.returning(...).over(n)(...) for n elements"
            )

    def __repr__(self) -> str:
        return f"<{self.kernel!r} returning {', '.join(field.name for field in self._fields)}>"

    # -- for its launchers

    def _memory_of(self, stream: Stream) -> ResultMemory:
        """Give the memory that results come through on a stream."""
        memory = self._memories.get(stream)
        return memory or self._memories.setdefault(stream, ResultMemory(self._fields, self.device))

    def _in_order(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """Give the arguments that are not returned in the parameters' order."""
        if not kwargs and len(args) == self._count:
            return list(args)
        returned = [field.name for field in self._fields]
        for name in kwargs:
            if name in returned:
                raise SignatureError(
                    f"{self.name}: parameter {name!r} is returned, so it is not an argument: omit it, or launch the "
                    "kernel itself to pass an array"
                )
        if len(args) > self._count:
            raise SignatureError(
                f"{self.signature}: expected {self._count} arguments when it returns {', '.join(returned)}, "
                f"got {len(args) + len(kwargs)}"
            )
        # The kernel puts them in order, with something in the place of what it returns.
        places = sorted(field.index for field in self._fields)
        positional = list(args)
        for index in places:
            if index <= len(positional):
                positional.insert(index, None)
        named = {field.name: None for field in self._fields if field.index >= len(positional)}
        everything = _core.arguments_in_order(self.kernel, tuple(positional), kwargs | named)
        return [value for index, value in enumerate(everything) if index not in places]


class ReturningLauncher(Listed):
    """A returning kernel with grid, block, stream and shared memory: call it with the other arguments."""

    __slots__ = ("_launcher", "_memory", "_returning", "_stream")

    def __init__(self, returning: Returning, launcher: Any, stream: Stream | None) -> None:
        self._returning, self._launcher, self._stream = returning, launcher, stream
        self._memory = None if stream is None else returning._memory_of(stream)

    def __call__(self, *args: Argument, **kwargs: Argument) -> Result:
        """Launch with the arguments that are not returned, by position or by name; nothing is waited for."""
        returning = self._returning
        others = returning._in_order(args, kwargs)
        stream = self._stream or _core.launch_stream(self._launcher)
        memory = self._memory or returning._memory_of(stream)
        host_memory.refuse_capture(
            stream,
            f"the results of {returning.name}",
            "Launch the kernel itself with an array, and read that when the graph has run",
        )
        _core.step_lends()
        on_device = memory.take_on_device(stream)
        launched = False
        try:
            loan = memory.lend(stream)  # which ends when it is dropped
            for index, array in on_device.arrays:
                others.insert(index, array)
            if returning.zero:
                _core.fill_bytes(stream, on_device.pointer, b"\0", memory.size)
            for offset, pattern, nbytes in returning._starts:
                _core.fill_bytes(stream, on_device.pointer + offset, pattern, nbytes)
            self._launcher(*others)
            launched = True
            _core.copy_bytes(stream, loan.piece.pointer, on_device.pointer, memory.size, _core.DOWN)
            return Result(memory, loan, stream.record())
        except BaseException as error:
            if launched and isinstance(error, DriverError) and not isinstance(error, AsynchronousError):
                return Result._failed(
                    memory, error
                )  # the launch was accepted: whoever launched again would have it twice
            raise
        finally:
            memory.give_on_device(on_device)

    def __repr__(self) -> str:
        return f"<{self._launcher!r} returning {', '.join(field.name for field in self._returning._fields)}>"


def _typed(returned: Field) -> str:
    extents = "".join(f"[{extent}]" for extent in returned.shape)
    return f"{returned.name}: {returned.dtype}{extents}"


def returning(
    kernel: Kernel, names: tuple[str, ...], shapes: dict[str, Any], zero: bool, initial: Any = None
) -> Returning:
    """Check what a kernel is to return; see `Kernel.returning`."""
    if not isinstance(zero, bool):
        raise ArgumentValueError(
            f"{kernel.name}.returning: zero: expected True or False, got {shown(zero)}. A parameter of that name "
            "can be returned as a single value, by position"
        )
    if getattr(kernel, "_expansion", None) is not None:
        raise SignatureError(
            f"{kernel.name}.returning: its library makes several parameters of an argument, so none of them is an "
            "argument that can be omitted: pass an array and read that"
        )
    requests: list[tuple[Any, Any]] = [*((name, ()) for name in names), *shapes.items()]
    if not requests:
        raise SignatureError(
            f"{kernel.name}.returning: expected the names of parameters, got none. {_candidates(kernel)}"
        )
    fields: list[Field] = []
    end = 0
    for name, shape in requests:
        index, parameter = _parameter(kernel, name)
        if any(field.name == name for field in fields):
            raise SignatureError(f"{kernel.name}.returning: parameter {name!r} was named twice")
        extents = _extents(f"{kernel.name}.returning: parameter {index} ({parameter})", shape)
        dtype = np.dtype(parameter.pointee)
        start = -(-end // ALIGN) * ALIGN
        end = start + math.prod(extents) * dtype.itemsize
        if end >= 1 << 63:
            detail = f"parameter {index} ({parameter}) of shape {shown(extents)}: asked for {shown(end)} bytes"
            raise OutOfMemoryError(f"{kernel.name}.returning", "more than any device has", 0, detail)
        fields.append(Field(name, index, dtype, extents, start, end - start))
    return Returning(kernel, tuple(fields), zero, _initial(kernel, fields, zero, initial))


def _initial(kernel: Kernel, fields: list[Field], zero: bool, initial: Any) -> dict[str, Any]:
    """Give the values that results start with, each in its parameter's dtype."""
    if initial is None:
        return {}
    where = f"{kernel.name}.returning: initial"
    if zero:
        raise ArgumentValueError(f"{where}: expected zero=True or initial=..., got both: zero=True is initial=0")
    dtypes = {field.name: field.dtype for field in fields}
    values = initial if isinstance(initial, Mapping) else dict.fromkeys(dtypes, initial)
    result = {}
    for name, value in values.items():
        if name not in dtypes:
            raise ArgumentValueError(
                f"{where}: expected values for {', '.join(dtypes)}, got one for {shown(name)}, which is not returned"
            )
        try:
            result[name] = element(value, dtypes[name])[()]
        except ArgumentValueError as error:
            raise ArgumentValueError(f"{where}: {name}: {error}{_of_ints(dtypes[name], value)}") from None
    return result


def _of_ints(dtype: np.dtype[Any], value: Any) -> str:
    """Say how to start a minimum or a maximum of integers, which have no infinity."""
    if dtype.kind in "iu" and isinstance(value, float) and math.isinf(value):
        return f': use numpy.iinfo("{dtype}").{"max" if value > 0 else "min"}'
    return ""


def _parameter(kernel: Kernel, name: Any) -> tuple[int, Parameter]:
    """Find a parameter that can be returned."""
    if not isinstance(name, str):
        raise SignatureError(f"{kernel.name}.returning: expected the name of a parameter, a str, got {shown(name)}")
    matches = [(i, candidate) for i, candidate in enumerate(kernel.signature.parameters) if candidate.name == name]
    if not matches:
        raise SignatureError(
            f"{kernel.name}.returning: {kernel.signature} has no parameter {shown(name)}. {_candidates(kernel)}"
        )
    index, parameter = matches[0]
    where = f"{kernel.name}.returning: parameter {index} ({parameter})"
    if parameter.kind != "pointer":
        raise SignatureError(f"{where} is passed by value, so it cannot return a value. {_candidates(kernel)}")
    if parameter.const:
        raise SignatureError(f"{where} points to const, so the kernel cannot write to it. {_candidates(kernel)}")
    if parameter.pointee is None:
        raise SignatureError(
            f"{where} has no element type that NumPy has: declare it as a pointer to numbers (float *), "
            "or pass an array and read that"
        )
    return index, parameter


def _candidates(kernel: Kernel) -> str:
    names = [
        repr(parameter.name)
        for parameter in kernel.signature.parameters
        if parameter.kind == "pointer" and not parameter.const and parameter.pointee is not None
    ]
    return f"It can return {', '.join(names)}" if names else "It has no pointer parameter through which it can return"


def _extents(where: str, shape: Any) -> tuple[int, ...]:
    extents: tuple[int, ...] = ()
    for requested in tuple(shape) if isinstance(shape, (tuple, list)) else (shape,):
        extent = _core.whole_number(requested)
        if extent is None or extent < 1:
            raise ArgumentValueError(
                f"{where}: expected a shape, an int of 1 or more or a tuple of them, got {shown(shape)}. A single "
                "value without a shape is named by position"
            )
        extents += (extent,)
    return extents
