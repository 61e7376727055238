"""Everything public, by introspection: functions and classes of launchpath, and what its objects can be asked."""

import copy
import operator
import pickle
from collections.abc import Callable
from typing import Any

import launchpath as lp

# They wait for ever, end the device for all, or are for tests; or they are no function.
LEFT_OUT = {
    "close", "hold", "interop", "set_legacy", "cooperative", "make_cooperative",
    # what one part of launchpath asks of another
    "failure", "in_order", "launch_host_function", "memory", "record_into", "wait_event",
}  # fmt: skip
_OURS = ("launchpath",)


def _enter(of: Any) -> None:
    with of:
        pass


_OPERATORS: dict[str, Callable[..., Any]] = {
    "repr": repr, "str": str, "hash": hash, "bool": bool, "len": len, "iter": lambda of: list(zip(of, range(4), strict=False)),
    "dir": dir, "copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": pickle.dumps, "int": int, "float": float,
    "index": operator.index, "format": format, "eq": operator.eq, "lt": operator.lt, "add": operator.add,
    "contains": operator.contains, "getitem": operator.getitem,
    "setitem": operator.setitem, "complex": complex, "neg": operator.neg, "call": lambda of, *args, **names: of(*args, **names),
    "getattr": getattr, "with": _enter, "help": lambda of: of.__doc__,
    "new": lambda of: type(of).__new__(type(of)), "isinstance": isinstance,
}  # fmt: skip
_ALONE = (str, copy.copy, copy.deepcopy, pickle.dumps)  # whose further parameters are not ours
_DUNDERS = (
    "__array__", "__dlpack__", "__dlpack_device__", "__cuda_array_interface__", "__cuda_stream__", "__reduce_ex__",
)  # fmt: skip


def functions() -> dict[str, Callable[..., Any]]:
    """What the package has, by name; its errors are for raising."""
    by_name = {}
    for name in lp.__all__:
        thing = getattr(lp, name)
        if name in LEFT_OUT or (isinstance(thing, type) and issubclass(thing, BaseException)):
            continue
        if callable(thing):
            by_name[f"lp.{name}"] = thing
    by_name["lp.Stream.external"] = lp.Stream.external
    by_name["lp.interop.follow_torch"] = lp.interop.follow_torch
    return by_name


def of_thing(name: str, thing: Any) -> dict[str, Callable[..., Any]]:
    """What one of the world's objects can be asked."""
    if not type(thing).__module__.startswith(_OURS):
        return {}
    by_name: dict[str, Callable[..., Any]] = {}
    for attribute in [name for name in sorted(type.__dir__(type(thing))) if not name.startswith("_")] + list(_DUNDERS):
        if attribute in LEFT_OUT or not hasattr(type(thing), attribute):
            continue
        by_name[f"<{name}>.{attribute}"] = _method(thing, attribute)
    for word, function in _OPERATORS.items():
        by_name[f"{word}(<{name}>)"] = _applied(function, thing)
    return by_name


def _method(thing: Any, attribute: str) -> Callable[..., Any]:
    def call(*args: Any, **names: Any) -> Any:
        value = getattr(thing, attribute)
        return value(*args, **names) if callable(value) and not isinstance(value, type) else value

    call.wrapped = getattr(type(thing), attribute)  # type: ignore[attr-defined]
    return call


def _applied(function: Callable[..., Any], thing: Any) -> Callable[..., Any]:
    if function in _ALONE:
        return lambda *args, **names: function(thing)
    return lambda *args, **names: function(thing, *args, **names)
