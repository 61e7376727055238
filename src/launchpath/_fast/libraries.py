"""The libraries whose launches are replaced: when they are imported, and until `uninstall`."""

from __future__ import annotations

import os
import sys
import threading
from typing import Any, Protocol

from launchpath._fast import capture, environment, imports
from launchpath._fast.records import RECORDS


class Library(Protocol):
    """A library whose launches are replaced."""

    def patch(self, name: str) -> None:
        """Replace its launches, as far as its modules are there; ``name`` is of the one that was executed last."""

    def restore(self) -> None:
        """Put its own launches back."""


_lock = threading.RLock()
_state: dict[str, Any] = {"finder": None, "libraries": {}}


def _library(name: str) -> Library:
    """Return the library that a module belongs to."""
    first = name.split(".", maxsplit=1)[0]
    first = "triton" if first == "torch" else first  # inductor's launchers are of Triton's kernels
    libraries: dict[str, Library] = _state["libraries"]
    if first not in libraries:
        if first == "triton":
            from launchpath._fast.triton import TritonLibrary  # noqa: PLC0415 (for programs that use it)

            libraries[first] = TritonLibrary()
        elif first == "numba":
            from launchpath._fast.numba import NumbaLibrary  # noqa: PLC0415

            libraries[first] = NumbaLibrary()
        else:
            from launchpath._fast.cupy import CupyLibrary  # noqa: PLC0415

            libraries[first] = CupyLibrary()
    return libraries[first]


def _imported(name: str) -> None:
    with _lock:
        if _state["finder"] is not None or name in sys.modules:
            _library(name).patch(name)


def install(children: bool) -> None:
    """Replace the launches of all libraries that are there, and of those that will be."""
    with _lock:
        if children:
            environment.hand_down()
        if _state["finder"] is None:
            _state["finder"] = finder = imports.Finder(_imported)
            sys.meta_path.insert(0, finder)
        for name in imports.MODULES:
            if name in sys.modules:
                _imported(name)


def uninstall() -> None:
    """Undo `install`."""
    with _lock:
        environment.take_back()
        finder, _state["finder"] = _state["finder"], None
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)
        for library in _state["libraries"].values():
            library.restore()


def is_installed() -> bool:
    """Whether launches are replaced in this process."""
    return _state["finder"] is not None


def _begin_again() -> None:
    """Forget in a forked child what its parent's other threads may hold."""
    global _lock  # noqa: PLW0603
    _lock = threading.RLock()
    capture.forget()
    RECORDS.begin_again()


os.register_at_fork(after_in_child=_begin_again)
