"""Error codes: what a function of HIP's returns first, and each thread's last error."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from launchpath import errors
from launchpath._core import hip_code, hip_code_is, hip_failure_pending
from launchpath.hip._types.bindings import Error, types
from launchpath.hip._types.error_texts import TEXTS
from launchpath.hip._types.handle_codes import code_of
from launchpath.hip._types.types import PYTHONS_OWN, explained, refuse_types

# The first that fits counts.
_CODES: tuple[tuple[type[Exception], Any], ...] = (
    (errors.OutOfMemoryError, Error.hipErrorOutOfMemory),
    (errors.AsynchronousError, Error.hipErrorLaunchFailure),
    (errors.BoundsError, Error.hipErrorIllegalAddress),
    (errors.HostFunctionError, Error.hipErrorUnknown),
    (errors.NoDeviceError, Error.hipErrorNoDevice),
    (errors.ConfigurationError, Error.hipErrorInvalidConfiguration),
    (errors.SignatureError, Error.hipErrorInvalidValue),
    (errors.ArgumentValueError, Error.hipErrorInvalidValue),
    (errors.CompileError, Error.hipErrorInvalidImage),
    (errors.LibraryError, Error.hipErrorSharedObjectInitFailed),
    (errors.LaunchpathError, Error.hipErrorUnknown),
)
# Not failures: `hipGetLastError` does not return them.
_NO_FAILURES = (Error.hipSuccess, Error.hipErrorNotReady)


class HipError(Exception):
    """A function of HIP's ends with this code."""

    def __init__(self, code: Any, reason: str = "", outputs: tuple[Any, ...] | None = None) -> None:
        self.code = code
        self.outputs = outputs  # of the few functions that have outputs after a failure too
        super().__init__(reason or code.name)


class WrongHandle(HipError):
    """A handle names nothing: the code depends on the function that was called with it.

    Parameters
    ----------
    code : Error
        The code of most functions.
    reason : str
        What was expected.
    kind : str
        HIP's type of the handle.
    """

    def __init__(self, code: Any, reason: str, kind: str) -> None:
        super().__init__(code, reason)
        self.kind = kind


class _Thread(threading.local):
    failed = Error.hipSuccess  # since it was last asked for
    reason = ""
    is_own = False


_thread = _Thread()


def function(outputs: int = 0) -> Callable[[Callable[..., Any]], Callable[..., tuple[Any, ...]]]:
    """Make a function of HIP's of one that returns its outputs and raises errors.

    Parameters
    ----------
    outputs : int
        How many outputs it has. They follow the code in the tuple that is returned; after a failure they are None.

    Returns
    -------
    callable
        The decorator.
    """

    def decorate(body: Callable[..., Any]) -> Callable[..., tuple[Any, ...]]:
        @functools.wraps(body)
        def call(*args: Any, **kwargs: Any) -> tuple[Any, ...]:
            try:
                result = body(*args, **kwargs)
            except WrongHandle as error:
                code = code_of(body.__name__, error.kind, error.code)
                return (fail(code, str(error)), *(None,) * outputs)
            except HipError as error:
                return (fail(error.code, str(error)), *(error.outputs or (None,) * outputs))
            except errors.LaunchpathError as error:
                code = fail(_code(error), str(error))
                # Asked for, or wrong, in the environment: programs that run as they are cannot tell of it.
                _thread.is_own = isinstance(error, errors.BoundsError) or "LAUNCHPATH_" in str(error)
                return (code, *(None,) * outputs)
            except PYTHONS_OWN as error:
                refuse_types(types, body, args, kwargs, error)
                return (
                    fail(Error.hipErrorInvalidValue, explained(types, body, args, kwargs, error)),
                    *(None,) * outputs,
                )
            hip_code_is(0)
            if outputs == 0:
                return (Error.hipSuccess,)
            return (Error.hipSuccess, result) if outputs == 1 else (Error.hipSuccess, *result)

        call.outputs = outputs  # type: ignore[attr-defined]
        return call

    return decorate


def _code(error: errors.LaunchpathError) -> Any:
    if isinstance(error, errors.DriverError) and error.code > 0:  # CUDA's numbers are HIP's; OpenCL's are negative
        with suppress(ValueError):
            return Error(error.code)
    return next(code for kind, code in _CODES if isinstance(error, kind))


def fail(code: Any, reason: str) -> Any:
    """Make a code the thread's last error, and return it."""
    _thread.reason, _thread.is_own = reason, False
    hip_code_is(int(code))
    if code not in _NO_FAILURES:
        _thread.failed = code
        hip_failure_pending(True)
    return code


def reason() -> str:
    """Return why the last function of this thread failed that did: the message, which names what was wrong.

    HIP has only the code. This is launchpath's own.
    """
    return _thread.reason


def unsupported(name: str) -> Callable[..., Any]:
    """Return what stands for a function of HIP's that launchpath does not have: it raises."""

    def call(*_args: Any, **_kwargs: Any) -> Any:
        raise NotImplementedError(f"launchpath.hip.{name}: launchpath does not support this function of HIP")

    call.__name__ = call.__qualname__ = name
    call.__doc__ = "Raise NotImplementedError: launchpath does not support this function of HIP."
    return call


def hipGetLastError() -> tuple[Any]:
    """Return the thread's last error, and forget it."""
    code, _thread.failed = _thread.failed, Error.hipSuccess
    hip_failure_pending(False)
    return (code,)


def hipPeekAtLastError() -> tuple[Any]:
    """Return the thread's last error."""
    return (_thread.failed,)


def hipExtGetLastError() -> tuple[Any]:
    """Return the code of the thread's last function, and forget it."""
    code = Error(hip_code())
    hip_code_is(0)
    return (code,)


def _error_of(code: Any) -> Any:
    try:
        return types.hipError_t(int(code))
    except ValueError:
        return None
    except (TypeError, OverflowError):
        raise TypeError(f"expected a hipError_t, got {code!r}") from None


def _name(error: Any) -> bytes:
    return b"hipErrorUnknown" if error is None else bytes(error.name, "ascii")


def _meaning(error: Any) -> bytes:
    return b"unknown error" if error is None else bytes(TEXTS.get(error.name, error.name), "ascii")


def hipGetErrorName(hip_error: Any) -> tuple[Any, bytes]:
    """Return the name of an error."""
    return Error.hipSuccess, _name(_error_of(hip_error))


def hipGetErrorString(hipError: Any) -> tuple[Any, bytes]:
    """Return what an error means."""
    return Error.hipSuccess, _meaning(_error_of(hipError))


@function(1)
def hipDrvGetErrorName(hipError: Any) -> bytes:
    """Return the name of an error."""
    if _error_of(hipError) is None:
        raise HipError(Error.hipErrorInvalidValue)
    return _name(_error_of(hipError))


@function(1)
def hipDrvGetErrorString(hipError: Any) -> bytes:
    """Return what an error means."""
    if _error_of(hipError) is None:
        raise HipError(Error.hipErrorInvalidValue)
    return _meaning(_error_of(hipError))


def is_own() -> bool:
    """Tell whether that failure is of launchpath alone: of a check that was asked for, or of one of its variables."""
    return _thread.is_own
