"""What holds for all of Triton's launches: hooks, knobs and the driver. Whether they let launchpath launch."""

from __future__ import annotations

import sys
from typing import Any

from launchpath import _core
from launchpath._fast import torch_place
from launchpath._fast.capture import CaptureError, driver

Looked = tuple[str | None, list[dict[Any, Any]], list[list[Any]]]
_DRIVERS = {("triton.backends.nvidia.driver", "CudaDriver")}
_HOOKS = ("launch_enter_hook", "launch_exit_hook")


class Surroundings:
    """Looks at Triton's modules, and tells `place` where launches go."""

    def __init__(self) -> None:
        self.place = _core.FastPlace()
        self.watch = _core.FastWatch(self._look)
        self._used: Any = None
        self.empty: tuple[Any, ...] = ()  # hooks that do nothing, as long as the watch gives no reason

    def _look(self) -> Looked:
        knobs: Any = sys.modules["triton.knobs"]
        config: Any = sys.modules["triton.runtime.driver"].driver
        dicts = [vars(knobs), vars(knobs.runtime), vars(knobs.compilation), vars(config)]
        lists: list[list[Any]] = []
        reason = self._hooks(knobs, dicts, lists) or _knobs(knobs)
        active = config._active
        if active is None:
            return reason or "Triton's first launch", dicts, lists
        dicts.append(vars(active))
        return reason or self._driver(active), dicts, lists

    def _hooks(self, knobs: Any, dicts: list[dict[Any, Any]], lists: list[list[Any]]) -> str | None:
        self.empty = tuple(getattr(knobs.runtime, name) for name in _HOOKS)
        for name in _HOOKS:
            hook = getattr(knobs.runtime, name)
            if hook is None:
                continue
            if type(hook) is not knobs.HookChain or type(hook.calls) is not list:
                return f"knobs.runtime.{name} is set"
            dicts.append(vars(hook))
            lists.append(hook.calls)
            if hook.calls:
                return f"knobs.runtime.{name} is set"
        return None

    def _driver(self, active: Any) -> str | None:
        kind = type(active)
        if (kind.__module__, kind.__qualname__) not in _DRIVERS:
            return f"Triton's driver is {kind.__module__}.{kind.__qualname__}"
        module = sys.modules[kind.__module__]
        if active.launcher_cls is not module.CudaLauncher:
            return "Triton's launcher was replaced"
        used = (active.get_current_device, active.get_current_stream)
        if self._used is not None and self._used == used:
            return None
        try:
            launch = driver().address("cuLaunchKernel")
        except CaptureError as error:
            return str(error)
        self.place.use(launch, *used, *torch_place.functions(*used))
        self._used = used
        return None


def _knobs(knobs: Any) -> str | None:
    if getattr(knobs.runtime, "add_stages_inspection_hook", None) is not None:
        return "knobs.runtime.add_stages_inspection_hook is set"
    if knobs.runtime.debug:
        return "knobs.runtime.debug is set"
    if knobs.compilation.instrumentation_mode:
        return "knobs.compilation.instrumentation_mode is set"
    return None
