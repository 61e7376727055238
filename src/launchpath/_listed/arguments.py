"""What to use instead of arguments that a function or class does not have: other libraries' and misspelled ones."""

from __future__ import annotations

import inspect
import re
from typing import Any

from launchpath._advice import did_you_mean

_UNEXPECTED = re.compile(r"([\w.]+)\(\) got an unexpected keyword argument '(\w+)'")
_COUNT = re.compile(r"(\w+)\.__(?:new|init)__(\(\) (?:takes|missing) .+)", re.DOTALL)
_OPTIONS = "options=[...]"
_NO_TIME = "leave it out: an event takes no time unless timing=True"
INSTEAD = {
    "Stream": {
        "non_blocking": "blocking=False", "nonblocking": "blocking=False", "flags": "blocking=False",
        "null": "launchpath.current_device().legacy_stream", "ptds": "launchpath.current_device().per_thread_stream",
    },
    "Event": {
        "enable_timing": "timing=True", "enable_profiling": "timing=True", "disable_timing": _NO_TIME,
        "block": "leave it out: synchronize() sleeps while it waits",
        "blocking": "leave it out: synchronize() sleeps while it waits",
        "interprocess": "leave it out: events are of one process",
    },
    "compile": {
        "code": "the source as the first argument", "source_code": "the source as the first argument",
        "file": "path=...", "filename": "path=...", "name_expressions": "names=[...]",
        "include_dirs": "include_paths=[...]", "extra_include_paths": "include_paths=[...]",
        "macros": "defines={...}",
        "define_macro": "defines={...}", "std": 'standard="c++17"', "extra_cuda_cflags": _OPTIONS, "flags": _OPTIONS,
        "backend": "leave it out: the device has its compiler", "arch": "leave it out: it is the device's",
        "debug": "LAUNCHPATH_DEBUG=bounds checks indices", "opt_level": "optimization=0 to 3",
    },
    "Step": {"stream": "leave it out: the step has all streams that are used in it"},
}  # fmt: skip
_OF_ARRAYS = {
    "order": "leave it out: arrays are in C's order", "copy": "array.copy() for a copy",
    "requires_grad": "leave it out", "like": "empty_like, zeros_like or full_like", "dtype_": "dtype",
    "pin_memory": "pinned_empty(shape, dtype)", "strides": "leave it out: arrays are in C's order",
}  # fmt: skip
_NOT_CALLED = {
    "Program": "use launchpath.compile(source) or launchpath.load(binary) to create a program",
    "Result": "use launches of kernel.returning(...) to create results",
    "Registration": "use launchpath.register(program) to register kernels",
    "SavedTrace": "use launchpath.read_trace(path) to read a trace",
    "StepReport": "use step.report() to get a report",
}
_COUNTED = {
    "Step() takes ": "a Step has the launches between `with step:` and its end; for a function write @launchpath.step",
    "step() missing ": "write @launchpath.step above a function, without brackets",
}
_ARRAYS = (
    "empty", "zeros", "ones", "full", "arange", "asarray", "empty_like", "zeros_like", "ones_like", "full_like",
    "pinned_empty", "managed_empty",
)  # fmt: skip


def advise(error: TypeError, package: Any) -> None:
    """Add what to do to the message of a call with arguments that the function does not have."""
    text = str(error)
    if match := _UNEXPECTED.fullmatch(text):
        function, argument = match[1].removesuffix(".__new__").removesuffix(".__init__"), match[2]
        hint = _hint(function, argument, package)
        error.args = (f"{function}() got an unexpected keyword argument {argument!r}{hint}",)
    elif match := _COUNT.fullmatch(text):
        error.args = (_NOT_CALLED.get(match[1], match[1] + match[2]),)  # without Python's own `__init__`
    for begin, hint in _COUNTED.items():
        if str(error).startswith(begin):
            error.args = (f"{error}: {hint}",)


def _hint(function: str, argument: str, package: Any) -> str:
    text = INSTEAD.get(function, {}).get(argument)
    if text is None and function in _ARRAYS:
        text = _OF_ARRAYS.get(argument)
    if text is not None:
        return f": {text}" if text.startswith("leave") else f": use {text}"
    names = _parameters(function, package)
    if not names:
        return ""
    return did_you_mean(argument, names) or f": it takes {', '.join(names)}"


def _parameters(function: str, package: Any) -> list[str]:
    """The names of a public function's parameters; empty if it has no signature here."""
    value = package
    for part in function.split("."):
        value = getattr(value, part, None)
    try:
        return [name for name in inspect.signature(value).parameters if name not in ("self", "cls")]
    except (TypeError, ValueError):
        return []
