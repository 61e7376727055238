"""Fails each call of a scenario in turn, and tells what went wrong.

Right is: an error of launchpath's that names the call, or right values. Then the same scenario works, and what OpenCL gave
out in between has been given back.
"""

import faulthandler
import gc
from collections.abc import Callable, Container, Iterator

import launchpath as lp

from .control import Control
from .scenario import SCENARIOS, Scene

CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, CL_INVALID_VALUE = -5, -6, -30
CODES = (CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, CL_INVALID_VALUE)
PATIENCE_S = 30
KEPT = {"events": 4}  # the newest of some queues: more or fewer from time to time


class Failing:
    """Fails the calls of scenarios on one device."""

    def __init__(self, device: lp.Device, tell: Callable[[str], None] = lambda text: None) -> None:
        self.control, self.scene, self.tell = Control(), Scene(device), tell
        self._scratch = self.scene.zeros()
        self.count = 0

    def run(
        self, name: str, every: int = 1, codes: tuple[int, ...] = CODES[:1], only: Container[str] | None = None
    ) -> Iterator[str]:
        """Fail each call of a scenario, or one of `every`, or only calls of some functions; yield what went wrong."""
        scenario = SCENARIOS[name]
        for _ in range(2):  # what is made once is there then
            scenario(self.scene)
            self._settle()
        before = self._calls()
        scenario(self.scene)
        self._settle()
        counts = {call: count - before[call] for call, count in self._calls().items()}
        names = [call for call in counts if only is None or call in only]
        todo = [(call, nth, code) for call in names for nth in range(1, counts[call] + 1) for code in codes]
        live = self.control.live()
        for call, nth, code in todo[self.count % every :: every]:
            self.count += 1
            self.tell(f"{name}: call {nth} of {call} fails with {code}")
            for problem in self._fail(scenario, call, nth, code):
                yield f"{name}, call {nth} of {call} failing with {code}: {problem}"
            now = self.control.live()
            if any(now[kind] > live[kind] + KEPT.get(kind, 0) for kind in now):
                yield f"{name}, call {nth} of {call} failing with {code}: objects left, expected {live}, got {now}"
                live = now

    def _calls(self) -> dict[str, int]:
        return {call: calls.count for call, calls in self.control.calls().items()}

    def _fail(self, scenario: Callable[[Scene], None], call: str, nth: int, code: int) -> Iterator[str]:
        faulthandler.dump_traceback_later(PATIENCE_S, exit=True)
        self.control.fail(call, nth, code)
        try:
            problem = _problem(lambda: scenario(self.scene), call)
            # What nobody waited for may come out now.
            problem = problem or _problem(self._settle, call)
        finally:
            self.control.fail(call, 0, 0)
        if problem:
            yield problem
        for again in (self._settle, lambda: scenario(self.scene), self._settle):
            problem = _problem(again, "")
            if problem:
                yield f"afterwards: {problem}"
        faulthandler.cancel_dump_traceback_later()

    def _settle(self) -> None:
        gc.collect(1)
        # A queue that is known to be complete is not asked, and keeps what its commands waited for until it is.
        self._scratch.fill(0)
        self.scene.device.synchronize()
        self.scene.device.trim_memory()


def _problem(step: Callable[[], None], call: str) -> str:
    """Do a step; return what was wrong, or "" if nothing was. An error must name the call, if there is one."""
    try:
        step()
    except lp.LaunchpathError as error:
        if call and call in str(error):
            return ""
        return f"{type(error).__name__}: {error}"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return ""
