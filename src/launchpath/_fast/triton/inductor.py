"""Launchers that torch's inductor makes: functions that compute a grid, and call what launches the compiled kernel.

That is torch's static launcher or Triton's own, and both launch by launchpath. In torch 2.13 a kernel that is launched
again and again gets one of torch's in C, which reads tensors without Python. It is left as it is, and its launches are
counted.
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Iterator
from typing import Any

from launchpath import _core
from launchpath._fast.records import RECORDS

RUNNER = "runner"  # what launches the kernel, among a launcher's globals
IN_C = "torch's own launcher in C"


class Inductor:
    """Has the launchers of `torch._inductor.runtime.triton_heuristics` launch by launchpath, or counted."""

    def __init__(self, module: Any) -> None:
        self._results, self._autotuner = module.CompileResult, module.CachingAutotuner
        self._generate = vars(self._results)["_gen_launcher_code"]
        self._build = vars(self._autotuner).get("_build_fast_launcher")  # torch 2.13 has it, 2.11 does not

    def patch(self) -> None:
        """Watch launchers being made, and have those that exist launch by launchpath."""
        generate, build = self._generate, self._build

        @functools.wraps(generate)
        def generating(result: Any, scope: dict[str, Any], *args: Any) -> Any:
            launcher = generate(result, scope, *args)
            name = getattr(result.kernel, "name", None) or result.inductor_meta.get("kernel_name", "a kernel")
            _count(scope, str(name))
            return launcher

        self._results._gen_launcher_code = generating
        if build is not None:

            @functools.wraps(build)
            def building(autotuner: Any, launcher: Any) -> Any:
                built = build(autotuner, launcher)
                if built is not None:
                    _count(built.__globals__, _name(launcher.__globals__))
                return built

            self._autotuner._build_fast_launcher = building
        self._renew(True)

    def restore(self) -> None:
        """Put torch's own back, in the launchers that exist, too."""
        for kind, name, own in (
            (self._results, "_gen_launcher_code", self._generate),
            (self._autotuner, "_build_fast_launcher", self._build),
        ):
            if own is not None and getattr(vars(kind).get(name), "__wrapped__", None) is own:
                setattr(kind, name, own)
        self._renew(False)

    def _renew(self, count: bool) -> None:
        """Have the launchers that exist ask their kernels anew what launches them."""
        for launcher, name in self._launchers():
            scope = launcher.__globals__
            runner = scope.get(RUNNER)
            if isinstance(runner, _core.FastCounter):
                runner = scope[RUNNER] = runner.original
            kernel: Any = scope.get("bin", getattr(runner, "__self__", None))
            if hasattr(kernel, "run"):
                scope[RUNNER] = kernel.run
            if count:
                _count(scope, name)

    def _launchers(self) -> Iterator[tuple[Callable[..., Any], str]]:
        """Find the launchers of this process, each with its kernel's name."""
        kinds = {self._autotuner}
        for kind in list(kinds):
            kinds.update(kind.__subclasses__())
        for instance in gc.get_referrers(*kinds):
            if type(instance) not in kinds:
                continue
            launchers = list(getattr(instance, "launchers", ()))
            name = _name(launchers[0].__globals__) if launchers else "a kernel"
            for launcher in (*launchers, getattr(instance, "_cached_launcher", None)):
                if launcher is not None:
                    yield launcher, name


def _count(scope: dict[str, Any], name: str) -> None:
    """Have the launches of a launcher counted that is not launchpath's; launchpath's counts by itself."""
    runner = scope.get(RUNNER)
    if runner is None:
        RECORDS.note(f"torch's inductor: a launcher of {name} has no {RUNNER}: its launches are not counted")
    elif not isinstance(runner, _core.FastCounter) and not isinstance(
        getattr(runner, "__func__", None), _core.FastRunner
    ):
        in_c = type(runner).__name__ == "_FastCudaLauncher"
        reason = IN_C if in_c else f"a launcher that launchpath does not know, {type(runner).__qualname__}"
        scope[RUNNER] = RECORDS.counter("inductor", name, reason, runner)


def _name(scope: dict[str, Any]) -> str:
    kernel = scope.get("bin", getattr(scope.get(RUNNER), "__self__", None))
    return str(getattr(kernel, "name", "a kernel"))
