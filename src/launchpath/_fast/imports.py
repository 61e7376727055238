"""Imports: what is called when a library's module has been imported. Python's own modules alone are used here.

Child processes load this file before launchpath, which they import only if the program imports one of the libraries.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import threading
from collections.abc import Callable, Sequence
from types import ModuleType

# What is patched once it has been imported.
MODULES = (
    "triton.runtime.jit", "triton.compiler.compiler", "torch._inductor.runtime.static_triton_launcher",
    "torch._inductor.runtime.static_cuda_launcher", "torch._inductor.runtime.triton_heuristics",
    "numba.cuda.dispatcher", "cupy._core.raw",
)  # fmt: skip


class Finder(importlib.abc.MetaPathFinder):
    """Finds those modules as all other finders do, and has a function called after they were executed."""

    def __init__(self, imported: Callable[[str], None]) -> None:
        self._imported = imported
        self._inside = threading.local()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find a module."""
        if fullname not in MODULES or getattr(self._inside, "searches", False):
            return None
        self._inside.searches = True
        try:
            for finder in list(sys.meta_path):
                find = getattr(finder, "find_spec", None)
                spec: importlib.machinery.ModuleSpec | None = (
                    find(fullname, path, target) if finder is not self and find is not None else None
                )
                if spec is not None:
                    break
            else:
                return None
        finally:
            self._inside.searches = False
        if spec.loader is not None:
            spec.loader = _Loader(spec.loader, fullname, self._imported)
        return spec


class _Loader(importlib.abc.Loader):
    """Executes a module by its own loader, which the module keeps."""

    def __init__(self, loader: importlib.abc.Loader, name: str, imported: Callable[[str], None]) -> None:
        self._loader, self._name, self._imported = loader, name, imported

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._imported(self._name)


def watch(imported: Callable[[str], None]) -> Finder:
    """Call a function with the name of each of those modules, once it has been imported; at once if it is."""
    finder = Finder(imported)
    sys.meta_path.insert(0, finder)
    for name in MODULES:
        if name in sys.modules:
            imported(name)
    return finder
