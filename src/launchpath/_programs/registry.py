"""Registered kernels: by their symbols, for C and C++ code, and for Python."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from launchpath import _core
from launchpath._listed import Listed
from launchpath._programs.compilation import compile
from launchpath._programs.kernel import Kernel
from launchpath._programs.loading import load
from launchpath._programs.program import Program
from launchpath._shown import described, shown
from launchpath._streams.device import Device, as_device
from launchpath._streams.stream import Stream, current_stream
from launchpath.errors import ArgumentValueError, SymbolError

if TYPE_CHECKING:
    from launchpath._accepted import DeviceLike

Registered = Program | Kernel | str | bytes | os.PathLike[str] | Callable[[Device], Program | Kernel]

_lock = threading.RLock()  # guards the registrations; none is loaded under it
_registrations: list[Registration] = []


class Registration(Listed):
    """Kernels that were registered together; `launchpath.register` returns it.

    ``with registration:`` unregisters them at its end.

    Attributes
    ----------
    symbols : tuple of str or None
        The symbols, if they are known before anything is loaded.
    """

    def __init__(self, registered: Registered, symbols: Mapping[str, str] | None) -> None:
        if symbols is not None and not isinstance(symbols, Mapping):
            raise TypeError(f"expected the kernels' names by their symbols, a dict, got {described(symbols)}")
        self._registered = registered
        self._kernels = symbols  # the name of each symbol's kernel; None: each kernel's own name is its symbol
        self._loading = threading.RLock()  # one thread at a time loads
        self._loaded: dict[Device, Program | Kernel] = {}
        self._kept: dict[tuple[Any, ...], tuple[Any, Callable[[Any], None]]] = {}  # each with what ends it
        self._active = True

    @property
    def symbols(self) -> tuple[str, ...] | None:
        if self._kernels is not None:
            return tuple(self._kernels)
        return tuple(kernel.name for kernel in self._registered) if isinstance(self._registered, Program) else None

    @property
    def active(self) -> bool:
        """Whether its symbols can be found."""
        return self._active

    def unregister(self) -> None:
        """Let the symbols lead to these kernels no more. To call it again does nothing.

        Launches that were submitted go on. A launch of another thread either is submitted before this returns, or does
        not find the kernel. A kernel's handle in C (`launchpath_kernel`) is refused from now on.
        """
        with _lock:
            self._active = False
            if self in _registrations:
                _registrations.remove(self)
            things, self._kept = list(self._kept.values()), {}
        _core.keep_in_captures((self._registered, dict(self._loaded)))
        for thing, end in things:
            end(thing)

    def __enter__(self) -> Registration:
        return self

    def __exit__(self, *_: object) -> None:
        self.unregister()

    def __repr__(self) -> str:
        symbols = "the names of its kernels" if self.symbols is None else ", ".join(self.symbols)
        return f"<Registration of {described(self._registered)}: {symbols}{'' if self._active else ', unregistered'}>"

    def _kernel(self, symbol: str, device: Device) -> Kernel | None:
        """Return the kernel of a symbol on a device, or None; its program is loaded at its first use on the device."""
        if self._kernels is not None and symbol not in self._kernels:
            return None
        if isinstance(self._registered, Program | Kernel) and self._registered.device is not device:
            return None
        with self._loading:
            if device not in self._loaded:
                self._loaded[device] = self._load(device)
            loaded = self._loaded[device]
        name = symbol if self._kernels is None else self._kernels[symbol]
        if isinstance(loaded, Kernel):
            return loaded if self._kernels is not None or name == loaded.name else None
        if self._kernels is None and name not in loaded:
            return None
        try:
            return loaded[name]
        except KeyError as error:
            raise SymbolError(
                f"the symbol {symbol!r} is registered for a kernel that is not there: {error.args[0]}"
            ) from None

    def _keep(self, key: tuple[Any, ...], make: Callable[[], Any], end: Callable[[Any], None]) -> Any:
        """Return what is made once and ends with the registration, such as a handle; None if it is unregistered."""
        with _lock:
            if key not in self._kept:
                if not self._active:
                    return None
                self._kept[key] = make(), end
            return self._kept[key][0]

    def _load(self, device: Device) -> Program | Kernel:
        registered = self._registered
        if isinstance(registered, Program | Kernel):
            return registered
        if isinstance(registered, str):
            return compile(registered, device, names=self._instances())
        if isinstance(registered, bytes):
            return load(registered, device)
        if isinstance(registered, os.PathLike):
            if os.fspath(registered).endswith(_SOURCES):
                return compile(path=registered, device=device, names=self._instances())
            return load(registered, device)
        loaded = registered(device)
        if not isinstance(loaded, Program | Kernel) or loaded.device is not device:
            raise ArgumentValueError(
                f"expected the registered function to return a Program or a Kernel on {device.name!r}, got "
                f"{described(loaded)}"
            )
        return loaded

    def _instances(self) -> list[str]:
        return [name for name in (self._kernels or {}).values() if "<" in name]


_SOURCES = (".hip", ".cu", ".cpp", ".cc", ".cxx", ".c", ".h", ".hpp", ".cuh")


def register(
    what: Registered, symbols: str | Iterable[str] | Mapping[str, str] | None = None, *, replace: bool = False
) -> Registration:
    """Register kernels under symbols, by which C and C++ code launches them (``launchpath.h``).

    Parameters
    ----------
    what : Program, Kernel, str, bytes, path-like or callable
        A program or a kernel, which is found on its own device only. Or what is loaded at the first use on each
        device: a source in HIP C++ (str), its file (a path), a binary (bytes or a path, as `launchpath.load` takes
        them: SPIR-V, PTX, Clang's offload bundles), or a function that gets a `Device` and returns a `Program` or a
        `Kernel` on it.
    symbols : str, iterable of str, or dict of str to str, optional
        The symbols. A dict has the kernels' names by their symbols: ``{"sum": "reduce<float, 256>"}``. If omitted every
        kernel's own name is its symbol.
    replace : bool
        Take symbols from other registrations, which lose all of theirs. Otherwise that is an error.

    Returns
    -------
    Registration
        Its ``unregister()`` ends it.

    Raises
    ------
    SymbolError
        A symbol is registered already.
    """
    if not isinstance(what, Program | Kernel | str | bytes | os.PathLike) and not callable(what):
        raise TypeError(
            f"expected a Program, a Kernel, a source, a binary, a path or a function, got {described(what)}"
        )
    if isinstance(what, Program) and "kernels" not in vars(what):
        raise TypeError("expected a program of launchpath.compile or launchpath.load, got one that was not created")
    registration = Registration(what, _by_symbol(what, symbols))
    with _lock:
        clashing = [other for other in _registrations if _common(registration, other)]
        if clashing and not replace:
            symbol = _common(registration, clashing[0])[0]
            raise SymbolError(
                f"expected symbols that are not registered yet, got {symbol!r}: unregister the other registration, or "
                "pass replace=True"
            )
        _registrations.append(registration)
    for other in clashing:
        other.unregister()
    return registration


def _by_symbol(
    registered: Registered, symbols: str | Iterable[str] | Mapping[str, str] | None
) -> dict[str, str] | None:
    if symbols is None:
        return {registered.name: registered.name} if isinstance(registered, Kernel) else None
    if isinstance(symbols, Mapping):
        by_symbol = dict(symbols)
    else:
        # Not by asking for items: a pointer of ctypes gives them without an end, from past its memory.
        if not isinstance(symbols, Iterable):
            raise TypeError(f"expected symbols, a str, an iterable of them or a dict, got {described(symbols)}")
        names = [symbols] if isinstance(symbols, str) else list(symbols)
        by_symbol = {name: name for name in names}
        if len(by_symbol) != len(names):
            raise ArgumentValueError(f"expected each symbol once, got {shown(names)}")
    for symbol, name in by_symbol.items():
        if not isinstance(symbol, str) or not isinstance(name, str) or not symbol or "\0" in symbol:
            raise ArgumentValueError(
                f"expected symbols, non-empty str, and names of kernels, got {shown((symbol, name))}"
            )
    if isinstance(registered, Kernel) and len(by_symbol) != 1:
        raise ArgumentValueError(f"expected the symbol of the kernel {registered.name}, got {len(by_symbol)}")
    return by_symbol


def _common(registration: Registration, other: Registration) -> list[str]:
    if _apart(registration._registered, other._registered):
        return []
    return sorted(set(registration.symbols or ()) & set(other.symbols or ()))


def _apart(first: Registered, other: Registered) -> bool:
    """Whether two can have the same symbols, because they are of different devices."""
    return (
        isinstance(first, Program | Kernel) and isinstance(other, Program | Kernel) and first.device is not other.device
    )


def find_kernel(symbol: str, device: DeviceLike | None = None) -> Kernel:
    """Find a registered kernel; its program is loaded if this is its first use on the device.

    Parameters
    ----------
    symbol : str
    device : Device, int or str, optional
        A device, or an argument of `launchpath.device`; the current device if omitted.

    Returns
    -------
    Kernel

    Raises
    ------
    SymbolError
        No registration has the symbol for this device, or several have it.
    """
    return _find(symbol, as_device(device))[1]


def _find(symbol: str, device: Device) -> tuple[Registration, Kernel]:
    with _lock:
        candidates = [each for each in _registrations if each.symbols is None or symbol in each.symbols]
    kernels = [(each, kernel) for each in candidates if (kernel := each._kernel(symbol, device)) is not None]
    if len(kernels) == 1:
        return kernels[0]
    if kernels:
        raise SymbolError(
            f"expected one kernel with the symbol {symbol!r}, got {len(kernels)}: unregister all but one of "
            f"{', '.join(repr(registration) for registration, _ in kernels)}"
        )
    hint = "register it: launchpath.register(what, symbol)"
    if candidates and all(isinstance(each._registered, Program | Kernel) for each in candidates):
        hint = "its program is on another device: register its source, to have it on each device"
    raise SymbolError(f"expected a symbol that is registered for {device.name!r}, got {symbol!r}: {hint}")


def _find_for_c(symbol: str, stream: Stream | None) -> tuple[int, Stream]:
    """Return the handle of a kernel on a stream's device, which C code finds by its symbol from now on."""
    order = current_stream() if stream is None else stream
    device = order.device
    return kept_of(symbol, device, "c", partial(_publish, symbol), _withdraw), order


def kept_of(
    symbol: str, device: Device, kind: str, make: Callable[[Kernel], Any], end: Callable[[Any], None]
) -> Any:  # fmt: skip
    """Return what is kept of a kind for a symbol's kernel on a device until that is unregistered.

    Parameters
    ----------
    symbol : str
    device : Device
    kind : str
        Of what is kept: there is one of each for a symbol and a device.
    make : callable
        Makes it of the kernel.
    end : callable
        Ends it when the kernel is unregistered.

    Raises
    ------
    SymbolError
        No registration has the symbol for this device, or several have it.
    """
    while True:
        registration, kernel = _find(symbol, device)
        thing = registration._keep((kind, symbol, device), partial(make, kernel), end)
        if thing is not None:  # else another thread has unregistered it
            return thing


def _publish(symbol: str, kernel: Kernel) -> int:
    handle = _core.c_publish(kernel)
    _core.c_symbol_add(symbol, kernel.device, handle)
    return handle


def _withdraw(handle: int) -> None:
    _core.c_symbol_remove(handle)
    _core.c_withdraw(handle)


def registered() -> list[str]:
    """Return the symbols that registrations name, sorted; without those of sources that were registered without any."""
    with _lock:
        return sorted({symbol for registration in _registrations for symbol in registration.symbols or ()})


_core.register_symbol_finder(_find_for_c)
_core.register_stream_creator(lambda blocking, priority: Stream(blocking=blocking, priority=priority))
_core.register_current_stream(current_stream)
