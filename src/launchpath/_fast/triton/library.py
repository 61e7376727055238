"""Triton as a whole: what is replaced, and put back."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from launchpath import _core
from launchpath._fast import hooks as hook_checks
from launchpath._fast.records import RECORDS, not_understood
from launchpath._fast.triton import hooks
from launchpath._fast.triton.inductor import Inductor
from launchpath._fast.triton.kernel import TritonKernel
from launchpath._fast.triton.launchers import AHEAD, HOOKS, STATIC_AHEAD, CompiledLauncher
from launchpath._fast.triton.surroundings import Surroundings

JIT, COMPILER = "triton.runtime.jit", "triton.compiler.compiler"
TORCH = ("torch._inductor.runtime.static_triton_launcher", "torch._inductor.runtime.static_cuda_launcher")
HEURISTICS = "torch._inductor.runtime.triton_heuristics"
ATTRIBUTE = "_launchpath_fast"  # of a kernel


class TritonLibrary:
    """Puts launchpath's launch in place of Triton's, and of torch's for Triton's kernels, once they are imported."""

    def __init__(self) -> None:
        self._undo: dict[str, Callable[[], None]] = {}
        self._run: Any = None
        self._surroundings: Surroundings | None = None

    def patch(self, name: str) -> None:
        """Replace `JITFunction.run` and `__getitem__`, `CompiledKernel.run`, and `run` of torch's launcher."""
        for place, patch in (
            (JIT, self._patch_jit),
            (COMPILER, self._patch_compiler),
            *((place, self._patch_torch) for place in TORCH),
            (HEURISTICS, self._patch_inductor),  # behind those, whose launches it looks for
        ):
            module = sys.modules.get(place)
            if module is None or place in self._undo:
                continue
            if place != name and getattr(module.__spec__, "_initializing", False):
                continue  # one that imports the other is not executed to its end
            undo = patch(module)
            if undo is None:
                RECORDS.note(f"{place} is not as launchpath knows it: its launches go the original way")
            self._undo[place] = undo or (lambda: None)

    def restore(self) -> None:
        """Put Triton's and torch's own back."""
        for undo in self._undo.values():
            undo()
        self._undo = {}

    def _patch_jit(self, jit: Any) -> Callable[[], None] | None:
        kind = jit.JITFunction
        self._run = kind.__dict__.get("run")
        if self._run is None or "__getitem__" in kind.__dict__:
            return None
        kind.run = _core.FastRun(self._run, self._find_and_count)
        kind.__getitem__ = _core.FastSubscript(jit.KernelInterface.__getitem__, self._find)

        def undo() -> None:
            if isinstance(kind.__dict__.get("run"), _core.FastRun):
                kind.run = self._run
            if isinstance(kind.__dict__.get("__getitem__"), _core.FastSubscript):
                del kind.__getitem__

        return undo

    def _patch_compiler(self, compiler: Any) -> Callable[[], None] | None:
        kind = compiler.CompiledKernel
        own = kind.__dict__.get("run")
        if not isinstance(own, property) or own.fget is None:
            return None
        get = own.fget
        original = lambda kernel, *args: get(kernel)(*args)  # noqa: E731
        runner = _core.FastRunner(original, lambda kernel: self._find_launched(kernel, original, AHEAD), AHEAD, HOOKS)

        def run(kernel: Any) -> Any:
            launcher = get(kernel)  # the first time this loads the kernel, and may raise
            surroundings = self._known()
            if surroundings is None or type(launcher).__name__ != "CudaLauncher":
                return launcher
            if surroundings.watch.check() is None:
                runner.empty = surroundings.empty
            return runner.__get__(kernel, kind)

        replacement = kind.run = property(run, doc=own.__doc__)

        def undo() -> None:
            if kind.__dict__.get("run") is replacement:
                kind.run = own

        return undo

    def _patch_torch(self, module: Any) -> Callable[[], None] | None:
        for name in ("StaticallyLaunchedTritonKernel", "StaticallyLaunchedCudaKernel"):
            kind: Any = getattr(module, name, None)
            own = vars(kind).get("run") if kind is not None else None
            if own is not None and hasattr(kind, "arg_ty_from_signature"):
                find = lambda kernel, own=own: self._find_launched(kernel, own, STATIC_AHEAD)  # noqa: E731
                runner = kind.run = _core.FastRunner(own, find, STATIC_AHEAD)

                def undo(kind: Any = kind, own: Any = own, runner: Any = runner) -> None:
                    if vars(kind).get("run") is runner:
                        kind.run = own

                return undo
        return None

    @staticmethod
    def _patch_inductor(module: Any) -> Callable[[], None] | None:
        try:
            inductor = Inductor(module)
        except (AttributeError, KeyError):
            return None
        inductor.patch()
        return inductor.restore

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

    def _find_and_count(self, function: Any) -> _core.FastKernel | None:
        """Return a kernel as the core launches it; None: Triton launches it, which is counted."""
        reason = _UNKNOWN
        try:
            kernel = self._find(function)
            if kernel is not None:
                return kernel
            if self._surroundings is not None:
                reason = str(self._refused(function))
        except Exception as error:
            reason = not_understood(error)
        RECORDS.count("triton", _name(function), reason)
        return None

    def _find(self, function: Any) -> _core.FastKernel | None:
        """Return a kernel as the core launches it; None: by Triton alone."""
        kernel = vars(function).get(ATTRIBUTE)
        if kernel is not None:
            return kernel.fast  # type: ignore[no-any-return]
        surroundings = self._known()
        if surroundings is None or self._refused(function) is not None:
            return None
        kernel = TritonKernel(function, self._run, surroundings, RECORDS.new("triton", _name(function)))
        vars(function)[ATTRIBUTE] = kernel
        return kernel.fast

    @staticmethod
    def _refused(function: Any) -> str | None:
        kind = type(function)
        if not isinstance(kind.run, _core.FastRun) or not isinstance(kind.__getitem__, _core.FastSubscript):
            return f"a run of its own, of {kind.__qualname__}"
        for attribute, type_ in hooks.ATTRIBUTES:
            if not isinstance(getattr(function, attribute, hooks), type_):
                return f"an attribute {attribute} that launchpath does not know"
        if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in function.signature.parameters.values()):
            return "a parameter *args"
        return None

    def _find_launched(self, kernel: Any, original: Any, ahead: int) -> _core.FastKernel | None:
        """Return a compiled kernel as the core launches it; None: the original way alone."""
        launcher = vars(kernel).get(ATTRIBUTE)
        if launcher is not None:
            return launcher.fast  # type: ignore[no-any-return]
        library, name = ("triton" if ahead == AHEAD else "inductor"), str(getattr(kernel, "name", "a kernel"))
        try:
            surroundings = self._known()
            torch: Any = sys.modules.get("torch")
            reason = None if surroundings is not None else _UNKNOWN
            if torch is None or torch.version.hip:
                reason = "no torch for CUDA, whose tensors launchpath reads"
        except Exception as error:
            reason = not_understood(error)
        if reason is not None or surroundings is None:
            RECORDS.count(library, name, str(reason))
            return None
        launcher = CompiledLauncher(kernel, original, surroundings, RECORDS.new(library, name), ahead)
        vars(kernel)[ATTRIBUTE] = launcher
        return launcher.fast


_UNKNOWN = "a version that launchpath does not know"


def _listed() -> str:
    return ", ".join(f"{first}.{second}" for first, second in hooks.VERSIONS)


def _name(function: Any) -> str:
    return str(getattr(function, "_fn_name", None) or function.__name__)
