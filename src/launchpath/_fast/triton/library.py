"""Triton as a whole: what is replaced, and put back."""

from __future__ import annotations

import sys
from typing import Any

from launchpath import _core
from launchpath._fast import hooks as hook_checks
from launchpath._fast.records import RECORDS
from launchpath._fast.triton import hooks
from launchpath._fast.triton.kernel import TritonKernel
from launchpath._fast.triton.surroundings import Surroundings

MODULES = ("triton.runtime.jit", "triton.compiler.compiler")
ATTRIBUTE = "_launchpath_fast"  # of a kernel


class TritonLibrary:
    """Puts launchpath's launch in place of Triton's, once its modules are there."""

    def __init__(self) -> None:
        self._class: Any = None
        self._run: Any = None
        self._surroundings: Surroundings | None = None

    def patch(self) -> None:
        """Replace `JITFunction.run` and `__getitem__`. A module that Triton is still importing: it is looked at again."""
        if self._class is not None or MODULES[0] not in sys.modules:
            return
        jit: Any = sys.modules[MODULES[0]]
        self._class, self._run = jit.JITFunction, jit.JITFunction.__dict__.get("run")
        if self._run is None or "__getitem__" in self._class.__dict__:
            RECORDS.note("Triton: JITFunction has no run of its own, or a __getitem__: all launches go the original way")
            self._class = None
            return
        self._class.run = _core.FastRun(self._run, self._find)
        self._class.__getitem__ = _core.FastSubscript(jit.KernelInterface.__getitem__, self._find)

    def restore(self) -> None:
        """Put Triton's own back."""
        if self._class is None:
            return
        if isinstance(self._class.__dict__.get("run"), _core.FastRun):
            self._class.run = self._run
        if isinstance(self._class.__dict__.get("__getitem__"), _core.FastSubscript):
            del self._class.__getitem__
        self._class = None

    def _known(self) -> Surroundings | None:
        """Check Triton's version and hooks at the first launch, when all of it is imported."""
        if self._surroundings is None:
            version = str(getattr(sys.modules["triton"], "__version__", ""))
            text = None
            if hook_checks.minor(version) not in hooks.VERSIONS:
                text = f"Triton {version} is not known to this launchpath, which knows {_listed()}"
            elif moved := hook_checks.moved(hooks.HOOKS):
                text = f"Triton {version}: {'; '.join(moved)}"
            if text is not None:
                RECORDS.note(f"{text}: all launches go the original way")
                return None
            self._surroundings = Surroundings()
        return self._surroundings

    def _find(self, function: Any) -> _core.FastKernel | None:
        """Return a kernel as the core launches it; None: by Triton alone."""
        made = vars(function).get(ATTRIBUTE)
        if made is not None:
            return made.fast  # type: ignore[no-any-return]
        name = str(getattr(function, "_fn_name", None) or function.__name__)
        surroundings = self._known()
        kind = type(function)
        if surroundings is None:
            RECORDS.count("triton", name, "a version that launchpath does not know")
            return None
        if not isinstance(kind.run, _core.FastRun) or not isinstance(kind.__getitem__, _core.FastSubscript):
            RECORDS.count("triton", name, f"a run of its own, of {kind.__qualname__}")
            return None
        if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in function.signature.parameters.values()):
            RECORDS.count("triton", name, "a parameter *args")
            return None
        for attribute, type_ in hooks.ATTRIBUTES:
            if not isinstance(getattr(function, attribute, hooks), type_):
                RECORDS.count("triton", name, f"an attribute {attribute} that launchpath does not know")
                return None
        made = TritonKernel(function, self._run, surroundings, RECORDS.new("triton", name))
        vars(function)[ATTRIBUTE] = made
        return made.fast


def _listed() -> str:
    return ", ".join(f"{first}.{second}" for first, second in hooks.VERSIONS)
