"""Numba as a whole: what is replaced, and put back."""

from __future__ import annotations

import functools
import sys
from typing import Any

from launchpath import _core
from launchpath._fast import hooks as hook_checks
from launchpath._fast.numba import hooks
from launchpath._fast.numba.arguments import read_array
from launchpath._fast.numba.kernel import NumbaKernel, note_launch
from launchpath._fast.numba.surroundings import Surroundings
from launchpath._fast.records import RECORDS, not_understood

MODULE = "numba.cuda.dispatcher"
ATTRIBUTE = "_launchpath_fast"  # of a dispatcher


class NumbaLibrary:
    """Puts launchpath's launch in place of Numba's, once its module is there."""

    def __init__(self) -> None:
        self._class: Any = None
        self._getitem: Any = None
        self._launch: Any = None
        self._kernel_class: Any = None
        self._surroundings: Surroundings | None = None

    def patch(self, name: str) -> None:
        """Replace `CUDADispatcher.__getitem__`."""
        module: Any = sys.modules.get(MODULE)
        if self._class is not None or module is None:
            return
        self._class, self._kernel_class = module.CUDADispatcher, module._Kernel
        self._getitem, self._launch = self._class.__dict__.get("__getitem__"), self._kernel_class.__dict__.get("launch")
        if self._getitem is None or self._launch is None:
            RECORDS.note(
                "Numba: CUDADispatcher.__getitem__ or _Kernel.launch has moved: all launches go the original way"
            )
            self._class = None
            return
        self._class.__getitem__ = _core.FastSubscript(self._getitem, self._find, self._whole)
        self._kernel_class.launch = self._noting(self._launch)

    def restore(self) -> None:
        """Put Numba's own back."""
        if self._class is None:
            return
        if isinstance(self._class.__dict__.get("__getitem__"), _core.FastSubscript):
            self._class.__getitem__ = self._getitem
        if getattr(self._kernel_class.launch, "__wrapped__", None) is self._launch:
            self._kernel_class.launch = self._launch
        self._class = None

    def _known(self) -> Surroundings | None:
        """Check the version and the hooks at the first launch, when all of Numba is imported."""
        if self._surroundings is None:
            version = str(
                getattr(sys.modules.get("numba_cuda"), "__version__", None) or sys.modules["numba.cuda"].__version__
            )
            text = None
            if hook_checks.minor(version) not in hooks.VERSIONS:
                listed = ", ".join(f"{first}.{second}" for first, second in hooks.VERSIONS)
                text = f"numba-cuda {version} is not known to this launchpath, which knows {listed}"
            elif moved := hook_checks.moved(hooks.HOOKS):
                text = f"numba-cuda {version}: {'; '.join(moved)}"
            if text is not None:
                RECORDS.note(f"{text}: all launches go the original way")
                return None
            _core.fast_fixed_reader(sys.modules["numba.cuda.cudadrv.devicearray"].DeviceNDArray, read_array)
            self._surroundings = Surroundings()
        return self._surroundings

    def _find(self, dispatcher: Any) -> _core.FastKernel | None:
        """Return a kernel as the core launches it; None: by Numba alone."""
        kernel = vars(dispatcher).get(ATTRIBUTE)
        if kernel is not None:
            return kernel.fast  # type: ignore[no-any-return]
        surroundings = self._known()
        if surroundings is None or type(dispatcher) is not self._class:
            return None
        name = str(getattr(dispatcher, "__qualname__", None) or dispatcher.py_func.__qualname__)
        kernel = NumbaKernel(dispatcher, self._getitem, surroundings, RECORDS.new("numba", name))
        vars(dispatcher)[ATTRIBUTE] = kernel
        return kernel.fast

    @staticmethod
    def _whole(fast: _core.FastKernel, key: Any, configured: Any) -> _core.FastGrid | None:
        return vars(fast.kernel)[ATTRIBUTE].whole(key, configured)  # type: ignore[no-any-return]

    def _noting(self, launch: Any) -> Any:
        """Note which kernel Numba itself launches, and count the launches of which launchpath's part knows nothing."""

        @functools.wraps(launch)
        def noting(kernel: Any, *args: Any, **kwargs: Any) -> Any:
            if not note_launch(kernel):
                function = getattr(kernel, "py_func", None)
                name = str(getattr(function, "__qualname__", None) or getattr(kernel, "entry_name", "a kernel"))
                RECORDS.count("numba", name, self._unseen())
            return launch(kernel, *args, **kwargs)

        return noting

    def _unseen(self) -> str:
        try:
            if self._known() is None:
                return "a version that launchpath does not know"
        except Exception as error:
            return not_understood(error)
        return "a launch without a subscript, as by configure, or by a dispatcher of another class"
