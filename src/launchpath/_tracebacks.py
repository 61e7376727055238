"""Tracebacks that end at the caller's line: launchpath's own entries below it are left out.

The public functions and methods are made boundaries: an error that launchpath raises on purpose loses the entries of
launchpath's files on its way out of one. What looks like a mistake of launchpath's own keeps its traceback, and an
error of a callback keeps the callback's entries. ``LAUNCHPATH_TRACEBACK=full`` keeps everything.
"""

from __future__ import annotations

import opcode
import os
import sys
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from functools import update_wrapper
from pathlib import Path
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import Any, TypeGuard

from launchpath import _core
from launchpath._environment import keeps_tracebacks
from launchpath.errors import LaunchpathError

Rule = Callable[[BaseException], object]
_FOLDER = str(Path(__file__).parent) + os.sep
_CORE = f"{_FOLDER}_core"  # the file of the core's placeholder
_HIDDEN = (_FOLDER, f"rocm{os.sep}")  # the types of HIP's are compiled as the core is: no reader has the source
_RAISE = opcode.opmap["RAISE_VARARGS"]
_IMPORT = opcode.opmap["IMPORT_FROM"]
# Python calls these by itself, or shows objects by them: their errors go nowhere.
_UNCALLED = frozenset(
    ("__class_getitem__", "__del__", "__dir__", "__hash__", "__init_subclass__", "__repr__", "__str__")
)


def trim(error: BaseException) -> None:
    """Take launchpath's entries out of the traceback of an error that was raised on purpose, and of its causes."""
    if _is_meant(error):
        if not isinstance(error, LaunchpathError):
            error._is_meant = True  # type: ignore[attr-defined]  # for the next boundary, where nothing shows it
        trim_always(error)
        if isinstance(error, KeyboardInterrupt):
            _name_unfinished(error)
    elif type(error) is TypeError:
        _advise(error)


def _name_unfinished(error: KeyboardInterrupt) -> None:
    """Name the kernels that a wait may have been for, once."""
    if not hasattr(error, "__notes__") and (names := _core.unfinished()):
        error.add_note(f"launchpath: kernels that are not known to be complete: {', '.join(map(repr, names))}")


def _advise(error: TypeError) -> None:
    """Say what to do about arguments that a public function does not have: Python's own message does not."""
    if all(entry.tb_frame.f_code.co_filename == _CORE for entry in _entries(error.__traceback__)):  # nothing was called
        from launchpath._listed.arguments import advise  # noqa: PLC0415 (only mistakes need it)

        advise(error, sys.modules["launchpath"])


def trim_always(error: BaseException) -> None:
    """The same for an error of any origin."""
    _take_out(error, lambda code: code.co_filename.startswith(_HIDDEN))


def _take_out(error: BaseException, is_hidden: Callable[[CodeType], bool]) -> None:
    """Take entries out of the tracebacks of an error and of its causes."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        cause.__traceback__ = _without(cause.__traceback__, is_hidden)
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)


def _is_meant(error: BaseException) -> bool:
    """Tell errors that launchpath raises on purpose from those that show a mistake of its own, or of a callback."""
    if isinstance(error, (LaunchpathError, KeyboardInterrupt)) or getattr(error, "_is_meant", False):
        return True
    innermost = None
    for innermost in _entries(error.__traceback__):  # noqa: B007 (the last)
        pass
    if innermost is None or not _is_python_here(innermost.tb_frame.f_code):
        return False
    if isinstance(error, OSError) and error.filename is not None:  # a file that the caller named
        return True
    return innermost.tb_frame.f_code.co_code[innermost.tb_lasti] == _RAISE


def _entries(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _without(traceback: TracebackType | None, is_hidden: Callable[[CodeType], bool]) -> TracebackType | None:
    entries = [entry for entry in _entries(traceback) if not is_hidden(entry.tb_frame.f_code)]
    after = None
    for entry in reversed(entries):
        entry.tb_next, after = after, entry
    return after


def boundary(function: Callable[..., Any], rule: Rule = trim) -> Any:
    """Return the function with a rule for its errors, or the function itself where tracebacks keep everything."""
    return function if _FULL else update_wrapper(_core.Boundary(function, rule), function)


def wrapper(function: Callable[..., Any]) -> Any:
    """Return a function that calls one of the program's, as a boundary: errors of any origin lose its own entry."""
    code = function.__code__

    def rule(error: BaseException) -> None:
        trim(error)
        _take_out(error, lambda other: other is code)

    return boundary(function, rule)


def make_boundaries(names: MutableMapping[str, Any], public: Iterable[str], rule: Rule = trim) -> None:
    """Let errors pass `rule` on their way out of the functions and classes that a module makes public.

    Parameters
    ----------
    names : dict
        The module's globals.
    public : iterable of str
        Which of them.
    rule : callable
        `trim`, or `trim_always` where wrong arguments are found by functions of other libraries.
    """
    if _FULL:
        return
    for name in public:
        value = names[name]
        if isinstance(value, type):
            for kind in value.__mro__:
                _make_boundaries_of(kind, rule)
        elif _is_function(value):
            names[name] = boundary(value, rule)


def _make_boundaries_of(kind: type, rule: Rule) -> None:
    """The same for a class of launchpath's that is written in Python. A second time it changes nothing."""
    if not kind.__flags__ & _HEAP or not kind.__module__.startswith("launchpath") or issubclass(kind, BaseException):
        return
    for name, value in list(vars(kind).items()):
        if name in _UNCALLED or (name.startswith("_") and not name.endswith("__")):
            continue
        if _is_function(value):
            setattr(kind, name, boundary(value, rule))
        elif isinstance(value, (classmethod, staticmethod)) and _is_function(value.__func__):
            setattr(kind, name, type(value)(boundary(value.__func__, rule)))
        elif type(value) is property and _is_function(value.fget):
            setattr(kind, name, value.getter(boundary(value.fget, rule)))


def is_import(frame: FrameType) -> bool:
    """Whether a frame looks a name up for ``from ... import``."""
    return frame.f_lasti >= 0 and frame.f_code.co_code[frame.f_lasti] == _IMPORT


def _is_function(value: object) -> TypeGuard[FunctionType]:
    return isinstance(value, FunctionType) and _is_python_here(value.__code__)


def _is_python_here(code: CodeType) -> bool:
    """Whether it is of launchpath's Python: compiled functions have a code object too, without instructions."""
    return code.co_filename.startswith(_FOLDER)


_HEAP = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class that can be changed
_FULL = keeps_tracebacks()
_core.keep_entries(_FULL)
