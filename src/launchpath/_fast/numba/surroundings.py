"""What holds for all of Numba's launches, and where they go."""

from __future__ import annotations

import sys
import warnings
from typing import Any

from launchpath import _core
from launchpath._fast.capture import CaptureError, driver

Looked = tuple[str | None, list[dict[Any, Any]], list[list[Any]]]


class Surroundings:
    """Looks at Numba's settings, and tells `place` how to launch."""

    def __init__(self) -> None:
        self.place = _core.FastPlace()
        self.watch = _core.FastWatch(self._look)
        self._used = False

    def _look(self) -> Looked:
        config: Any = sys.modules["numba.cuda.core.config"]
        dicts = [vars(config), vars(warnings)]
        if getattr(config, "CUDA_PER_THREAD_DEFAULT_STREAM", 0):
            return "per-thread default streams", dicts, []
        if not self._used:
            try:
                found = driver()
                self.place.use(found.address("cuLaunchKernel"), context_function=found.address("cuCtxGetCurrent"))
            except CaptureError as error:
                return str(error), dicts, []
            self._used = True
        return None, dicts, []


def warning_filters(config: Any, extents: tuple[int, ...]) -> tuple[list[Any] | None, bool]:
    """Whether Numba warns of a small grid whenever it is asked for.

    Returns
    -------
    filters : list or None
        On which it depends that the warning came once and comes no more; None: it does not warn.
    comes_again : bool
        Whether it comes each time.
    """
    small = extents[0] * extents[1] * extents[2] < 128
    if not small or not config.CUDA_LOW_OCCUPANCY_WARNINGS or getattr(config, "DISABLE_PERFORMANCE_WARNINGS", False):
        return None, False
    category = sys.modules["numba.cuda.core.errors"].NumbaPerformanceWarning
    module = "numba.cuda.dispatcher"
    for action, message, kind, pattern, _ in warnings.filters:
        matches = message is None and _is_of(pattern, module) and issubclass(category, kind)
        if matches or (message is not None and issubclass(category, kind)):
            return warnings.filters, action in ("always", "all", "error") or message is not None  # type: ignore[return-value]
    return warnings.filters, False  # type: ignore[return-value]


def _is_of(pattern: Any, module: str) -> bool:
    """Whether a filter's pattern matches a module. Python's first filters have its name in place of a pattern."""
    return pattern is None or (pattern == module if isinstance(pattern, str) else bool(pattern.match(module)))
