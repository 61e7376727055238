"""What holds for all of Numba's launches, and where they go."""

from __future__ import annotations

import sys
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
        dicts = [vars(config)]
        if getattr(config, "CUDA_PER_THREAD_DEFAULT_STREAM", 0):
            return "per-thread default streams", dicts, []
        if not self._used:
            try:
                cuda = driver()
                self.place.use(cuda.address("cuLaunchKernel"), context_function=cuda.address("cuCtxGetCurrent"))
            except CaptureError as error:
                return str(error), dicts, []
            self._used = True
        return None, dicts, []
