"""Which arguments Triton compiles one kernel for. Triton itself is asked about arguments beside the ones at hand.

So there is no second copy of its rules here: a version that divides arguments otherwise either answers otherwise, or in
a way that no rule expresses, and then its launches go the original way.
"""

from __future__ import annotations

from typing import Any

from launchpath import _core
from launchpath._fast import rules
from launchpath._fast.rules import Row

INTS = {
    "i8": (-(1 << 7), (1 << 7) - 1, 1), "u8": (0, (1 << 8) - 1, 1),
    "i16": (-(1 << 15), (1 << 15) - 1, 2), "u16": (0, (1 << 16) - 1, 2),
    "i32": (-(1 << 31), (1 << 31) - 1, 4), "u32": (0, (1 << 32) - 1, 4),
    "i64": (-(1 << 63), (1 << 63) - 1, 8), "u64": (0, (1 << 63) - 1, 8),
}  # fmt: skip
FLOATS = {"fp16": 2, "bf16": 2, "fp32": 4, "f32": 4, "fp64": 8}
BOOLS = ("i1", "u1")
_HIGH = 1 << 63


class Unfit(Exception):
    """No rule expresses what arguments a kernel was compiled for. The text says why, as reports print it."""


class _Pointer:
    """What stands for memory at an address."""

    def __init__(self, dtype: Any, address: int) -> None:
        self.dtype, self._address = dtype, address

    def data_ptr(self) -> int:
        return self._address

    def ptr_range(self) -> int:
        return 0


class Specializing:
    """Asks the binder that Triton made for a kernel.

    Parameters
    ----------
    binder : callable
        Gives what is bound to each parameter, (type, what is special) for each, and options.
    bound : dict
        The arguments at hand, by name, and the default values.
    specialization : list
        What the binder gave for them.
    """

    def __init__(self, binder: Any, bound: dict[str, Any], specialization: list[Any]) -> None:
        self._binder, self._bound = binder, bound
        self._answers = dict(zip(bound, specialization, strict=True))
        self._places = {name: i for i, name in enumerate(bound)}

    def row(self, name: str, type_: Any, place: tuple[int, int] | None) -> Row:
        """Make the rule for a parameter.

        Parameters
        ----------
        type_ : object
            What the compiled kernel has for it: Triton's name of a type, or "constexpr".
        place : tuple of int or None
            Offset and bytes among the packed arguments; None: it is not among them.

        Raises
        ------
        Unfit
        """
        value, answer = self._bound[name], self._answers[name]
        if answer[0] != type_:
            raise Unfit(f"parameter {name!r} is {answer[0]} here and {type_} in the compiled kernel")
        kind = type(value)
        if type_ == "constexpr" and not (kind is int and self._is_special_int(name, answer)):
            if not is_constant(value):
                raise Unfit(f"a constant of type {kind.__name__}")
            return rules.constant(value)
        if kind is int:
            return self._integer(name, value, answer, place)
        if place is None:
            raise Unfit(f"parameter {name!r} is not in the compiled kernel")
        if kind is bool:
            if type_ not in BOOLS or not self._same(name, answer, True, False):
                raise Unfit("a bool for a parameter of another type")
            return rules.boolean(place[0])
        if kind is float:
            if type_ not in FLOATS or not self._same(name, answer, 0.0, 0.5, 1.0, 16.0, -2.0):
                raise Unfit("a float for a parameter of another type")
            return rules.real(place[0], FLOATS[type_], type_ == "bf16")
        return self._pointer(name, value, answer, place)

    def _ask(self, name: str, value: Any) -> Any:
        try:
            _, specialization, _ = self._binder(**{**self._bound, name: value})
        except (OverflowError, TypeError, ValueError):
            return None
        return specialization[self._places[name]]

    def _same(self, name: str, answer: Any, *values: Any) -> bool:
        return all(self._ask(name, value) == answer for value in values)

    def _is_special_int(self, name: str, answer: Any) -> bool:
        """Whether Triton made a constant of an int because of its value: the parameter is not a constexpr."""
        return bool(self._ask(name, 3) != ("constexpr", 3) and answer != self._ask(name, 3))

    def _integer(self, name: str, value: int, answer: Any, place: tuple[int, int] | None) -> Row:
        if value == 1 and not self._same(name, answer, 17) and not self._same(name, answer, 32):
            return rules.integer(1, 1, 0, place)
        if answer[0] not in INTS or place is None:
            raise Unfit(f"an int for a parameter of type {answer[0]}")
        least, most, size = INTS[answer[0]]
        if place[1] != size:
            raise Unfit(f"parameter {name!r} has {place[1]} bytes in the compiled kernel, and {size} as a {answer[0]}")
        flags = 0
        if value >= _HIGH:
            least, most = _HIGH, (1 << 64) - 1
        elif answer[0] == "i64" and self._type(name, 5) != "i64":
            flags = rules.WIDE  # an i64 is what does not fit an i32
        self._check_range(name, answer[0], least, most, flags)
        if not least <= value <= most:
            raise Unfit(f"an int that does not fit a {answer[0]}")
        flags |= self._multiple(name, answer, 1 << 31 if flags else least, most)
        if not flags & (rules.WIDE | rules.MULTIPLE) and least <= 1 <= most and self._ask(name, 1) != answer:
            flags |= rules.NOT_ONE
        return rules.integer(least, most, flags, place)

    def _type(self, name: str, value: int) -> Any:
        return (self._ask(name, value) or ("",))[0]

    def _check_range(self, name: str, type_: str, least: int, most: int, flags: int) -> None:
        """Ask about the ends of a range."""
        edges = [least, most, *((-(1 << 31) - 1, 1 << 31) if flags else ())]
        for edge in edges:
            if self._type(name, edge) != type_:
                raise Unfit(f"Triton's {type_} is not what launchpath knows: {edge} is none")
        if flags and type_ in (self._type(name, -(1 << 31)), self._type(name, (1 << 31) - 1)):
            raise Unfit(f"Triton's {type_} is not what launchpath knows")

    def _multiple(self, name: str, answer: Any, least: int, most: int) -> int:
        """Find whether multiples of 16 are compiled for apart."""
        base = 16 if least <= 16 and most >= 112 else (least + 32 if least > 0 else most - 256) // 16 * 16
        multiples = [number for number in (base, base + 64, most // 16 * 16) if least <= number <= most]
        others = [number for number in (base + 2, base + 8, base + 17) if least <= number <= most]
        return self._flags(name, answer, multiples, others)

    def _flags(self, name: str, answer: Any, multiples: list[Any], others: list[Any]) -> int:
        in_multiples = {self._ask(name, value) == answer for value in multiples}
        in_others = {self._ask(name, value) == answer for value in others}
        if in_multiples == in_others == {True}:
            return 0
        if in_multiples == {True} and in_others == {False}:
            return rules.MULTIPLE
        if in_multiples == {False} and in_others == {True}:
            return rules.NO_MULTIPLE
        raise Unfit("Triton divides such arguments by another rule than their being multiples of 16")

    def _pointer(self, name: str, value: Any, answer: Any, place: tuple[int, int]) -> Row:
        kind = type(value)
        if not isinstance(answer[0], str) or not answer[0].startswith("*") or place[1] != 8:
            raise Unfit(f"an argument of type {kind.__module__.split('.')[0]}.{kind.__qualname__}")
        if kind.__module__.split(".")[0] != "torch" or not hasattr(value, "layout"):
            raise Unfit(f"an argument of type {kind.__module__.split('.')[0]}.{kind.__qualname__}")
        dtype = _core.fast_tensor(value, value.device.type in DEVICE_TYPES)
        if dtype is None:
            raise Unfit(f"a tensor of class {kind.__qualname__} on {value.device.type}")
        flags = self._flags(
            name, answer, [_Pointer(value.dtype, 1 << 20), _Pointer(value.dtype, (1 << 20) + 16)],
            [_Pointer(value.dtype, (1 << 20) + 1), _Pointer(value.dtype, (1 << 20) + 8)],
        )  # fmt: skip
        return rules.tensor(place[0], dtype, flags)


# Of torch's devices: their tensors' memory is what a kernel reads. Tests on the CUDA stand-in, whose device memory is
# the host's, add "cpu".
DEVICE_TYPES = {"cuda"}
_PLAIN = (int, float, bool, str, type(None))
_BY_IDENTITY = {("triton.language.core", "dtype"), ("torch", "dtype")}


def is_constant(value: Any) -> bool:
    """Whether the core can tell that another value is the same constant."""
    kind = type(value)
    if kind is tuple:
        return all(map(is_constant, value))
    return kind in _PLAIN or (kind.__module__, kind.__qualname__) in _BY_IDENTITY
