"""Environment variables: their names, and those that switch something on or off."""

from __future__ import annotations

import os
from collections.abc import Mapping

from launchpath.errors import ArgumentValueError

DEBUG = "LAUNCHPATH_DEBUG"
BOUNDS = "bounds"  # its only value so far
DEPENDENT = "LAUNCHPATH_DEPENDENT"
TRIGGER, WAIT = "trigger", "wait"  # its values besides those of switches
MEND = "LAUNCHPATH_MEND"
TRACEBACK = "LAUNCHPATH_TRACEBACK"
FULL = "full"  # its only value

# All that are read, in the order of docs/environment.md.
NAMES = (
    "LAUNCHPATH_DEVICE", "LAUNCHPATH_SKIP_UPLOADS", "LAUNCHPATH_STEPS", DEPENDENT, "LAUNCHPATH_BREAK",
    "LAUNCHPATH_LAUNCH_BLOCKING", "LAUNCHPATH_FAST", MEND, DEBUG, TRACEBACK, "LAUNCHPATH_LOG", "LAUNCHPATH_TRACE",
    "LAUNCHPATH_TRACE_OPTIONS", "LAUNCHPATH_TRACE_BEGUN", "LAUNCHPATH_TRACE_CLOCK",
    "LAUNCHPATH_RECORDER", "LAUNCHPATH_RECORDER_INCLUDE",
    "LAUNCHPATH_RECORDER_EXCLUDE", "LAUNCHPATH_RECORDER_CUPTI", "LAUNCHPATH_DELAYS", "LAUNCHPATH_WORKAROUNDS",
    "LAUNCHPATH_ORDERING", "LAUNCHPATH_OPENCL_LIBRARY", "LAUNCHPATH_CUDA_LIBRARY", "LAUNCHPATH_HIP_LIBRARY",
    "LAUNCHPATH_STREAM_ORDERED", "LAUNCHPATH_CLANG", "LAUNCHPATH_CUPTI_LIBRARY", "LAUNCHPATH_NVRTC_LIBRARY",
    "LAUNCHPATH_HIPRTC_LIBRARY", "LAUNCHPATH_NVJITLINK_LIBRARY", "LAUNCHPATH_COMPILE_TIMEOUT",
    "LAUNCHPATH_COMPILE_PROCESS", "LAUNCHPATH_PROGRESS", "LAUNCHPATH_CACHE", "LAUNCHPATH_CACHE_DIR",
    "LAUNCHPATH_CACHE_LIMIT",
)  # fmt: skip
_PREFIX = "LAUNCHPATH_"
_OF_BUILD_AND_TESTS = tuple(f"{_PREFIX}{word}" for word in ("BUILD_", "TEST_", "FUZZ_", "MODEL_", "STEP_RUNS"))

_ON, _OFF = ("1", "on", "true", "yes"), ("0", "off", "false", "no")


def switch(name: str, default: bool = False, environment: Mapping[str, str] = os.environ) -> bool:
    """Read a switch: ``0`` or ``1``, or a word for it; empty counts as unset.

    Raises
    ------
    ArgumentValueError
        It is anything else.
    """
    text = environment.get(name, "").strip().lower()
    if not text:
        return default
    if text not in _ON and text not in _OFF:
        raise ArgumentValueError(f"{name}: expected 0 (off) or 1 (on), got {environment[name]!r}")
    return text in _ON


def dependent(environment: Mapping[str, str] = os.environ) -> str:
    """How ``LAUNCHPATH_DEPENDENT`` wants launches: ``on``, ``off``, ``trigger`` or ``wait``.

    With ``on`` kernels of frozen steps alone have early triggers, with ``trigger`` all, with ``wait`` none.

    Raises
    ------
    ArgumentValueError
        It is anything else.
    """
    word = environment.get(DEPENDENT, "").strip().lower()
    if word in (TRIGGER, WAIT):
        return word
    try:
        return "on" if switch(DEPENDENT, True, environment) else "off"
    except ArgumentValueError:
        raise ArgumentValueError(
            f"{DEPENDENT}: expected 0, 1, {WAIT!r} or {TRIGGER!r}, got {environment[DEPENDENT]!r}"
        ) from None


def checks_bounds(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether ``LAUNCHPATH_DEBUG`` asks for checks of kernels' accesses to memory; empty counts as unset.

    Raises
    ------
    ArgumentValueError
        It asks for something else.
    """
    return _is_chosen(DEBUG, BOUNDS, environment)


def keeps_tracebacks(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether ``LAUNCHPATH_TRACEBACK`` asks for tracebacks with all of launchpath's entries; empty counts as unset.

    Raises
    ------
    ArgumentValueError
        It asks for something else.
    """
    return _is_chosen(TRACEBACK, FULL, environment)


def _is_chosen(name: str, value: str, environment: Mapping[str, str]) -> bool:
    """Read a variable with a single value."""
    text = environment.get(name, "").strip().lower()
    if text not in ("", value):
        raise ArgumentValueError(f"{name}: expected {value!r}, or nothing, got {environment[name]!r}")
    return text == value


def warn_of_unknown(environment: Mapping[str, str] = os.environ) -> None:
    """Warn of variables that nothing here reads although their names begin as those do: they may be misspelled."""
    unknown = [
        name
        for name in environment
        if name.startswith(_PREFIX) and name not in NAMES and not name.startswith(_OF_BUILD_AND_TESTS)
    ]
    if not unknown:
        return
    import warnings  # noqa: PLC0415 (importing launchpath must stay fast)
    from difflib import get_close_matches  # noqa: PLC0415

    for name in unknown:
        close = get_close_matches(name.removeprefix(_PREFIX), [variable.removeprefix(_PREFIX) for variable in NAMES], 1)
        meant = f"did you mean {_PREFIX}{close[0]}?" if close else f"expected one of {', '.join(NAMES)}"
        warnings.warn(
            f"{name} has no effect: launchpath reads no environment variable of that name: {meant}", RuntimeWarning,
            stacklevel=3,
        )  # fmt: skip
