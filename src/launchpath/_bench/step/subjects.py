"""The subjects of ``bench step``: launches of a case by launchpath, in a step and without, and by C."""

from __future__ import annotations

import ctypes
import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from time import perf_counter_ns as now
from typing import Any, ClassVar, cast

from launchpath import _core
from launchpath._bench.measure import Loop
from launchpath._bench.native import shared_library
from launchpath._bench.peer import Missing
from launchpath._bench.step.kernels import FIXED_ARGUMENT, THREADS, Case, StepKernels
from launchpath._bench.step.sources import CUDA, OPENCL
from launchpath._drivers import gpu, opencl, workarounds
from launchpath._streams.step import FrozenStep, Step
from launchpath._streams.step_report import StepReport
from launchpath._streams.stream import Stream
from launchpath.errors import LaunchpathError


class Subject(ABC):
    """Launches of a case, again and again.

    Attributes
    ----------
    subject : str
        Its name in results.
    case : Case
    holds : bool
        Whether `held` holds back.
    """

    subject: ClassVar[str]

    def __init__(self, kernels: StepKernels, case: Case) -> None:
        self.case, self.holds = case, kernels.device.info["driver"] == "opencl"

    def prepared(self, values: Sequence[float]) -> Any:
        """Give the values of the argument that changes as `submit` takes them: one for each step."""
        return values

    @abstractmethod
    def submit(self, values: Any) -> int:
        """Submit a step for each value; give the nanoseconds that took on the host."""

    @abstractmethod
    def synchronize(self) -> None:
        """Wait for all steps."""

    @abstractmethod
    def held(self) -> AbstractContextManager[object]:
        """On OpenCL devices hold back the launches submitted inside; elsewhere do nothing."""

    def verify(self) -> None:  # noqa: B027 (most have nothing to verify)
        """Raise if the measured launches were not of this subject's kind."""

    def close(self) -> None:  # noqa: B027 (most have nothing to free)
        """Free memory and objects that Python does not own."""


class Eager(Subject):
    """Launches by launchpath, each of which goes to the driver at once.

    The body is straight-line code: kept launchers, arguments by position, no loop and no indexing around the calls.
    """

    subject = "eager"
    step: Step | None = None

    def __init__(self, kernels: StepKernels, case: Case) -> None:
        super().__init__(kernels, case)
        device = kernels.device
        self.streams: list[Stream] = [Stream(False, device=device) for _ in range(case.streams)]
        self.streams = self.streams or [device.legacy_stream]
        self._submit = self._loop(kernels)

    def submit(self, values: Any) -> int:
        return self._submit(values)

    def synchronize(self) -> None:
        for stream in self.streams:
            stream.synchronize()

    @contextmanager
    def held(self) -> Iterator[None]:
        with ExitStack() as holds:
            for stream in self.streams if self.holds else ():
                holds.enter_context(stream.hold())
            yield

    def _loop(self, kernels: StepKernels) -> Loop:
        """Write the loop of steps, with all that it names as its own variables: see `kernels.looped`."""
        count, changes = len(kernels.kernels), self.case.changing_launches
        launchers: dict[tuple[int, int], Any] = {}
        scope: dict[str, Any] = {
            "now": now,
            "step": self.step,
            "x": kernels.input,
            "n": THREADS,
            "fixed": FIXED_ARGUMENT,
        }
        lines = []
        for i in range(self.case.launches):
            key = i % count, i % len(self.streams)
            if key not in launchers:
                launchers[key] = kernels.kernels[key[0]][1, THREADS, self.streams[key[1]]]
            scope |= {f"launch{i}": launchers[key], f"y{i}": kernels.outputs[i]}
            lines.append(f"launch{i}(x, y{i}, n, {'value' if i in changes else 'fixed'})")
        body = "\n            ".join(lines)
        exec(
            f"""
def loop(values, {", ".join(f"{name}={name}" for name in scope)}):
    began = now()
    for value in values:
        {"if True" if self.step is None else "with step"}:
            {body}
    return now() - began
""",
            scope,
        )
        return cast("Loop", scope.pop("loop"))


class Stepped(Eager):
    """The same launches in a `Step`."""

    subject = "step"

    def __init__(self, kernels: StepKernels, case: Case) -> None:
        self.step = Step()
        super().__init__(kernels, case)

    def report(self) -> StepReport:
        """Give the report of the measured launches."""
        assert self.step is not None
        return self.step.report()

    def verify(self) -> None:
        report = self.report()
        if report.direct or report.early or not report.runs:
            raise LaunchpathError(
                f"{self.case}: expected steps that keep all launches back until they are left, got: {report}"
            )


class Frozen(Stepped):
    """The same step frozen, and submitted by a single call for all of its launches."""

    subject = "frozen"

    def _loop(self, kernels: StepKernels) -> Loop:
        super()._loop(kernels)([FIXED_ARGUMENT])
        self.synchronize()
        assert self.step is not None
        self.frozen: FrozenStep = self.step.freeze()
        launch = self.frozen.launch

        def loop(values: Sequence[float]) -> int:
            began = now()
            for _ in values:
                launch()
            return now() - began

        return loop

    def report(self) -> StepReport:
        return self.frozen.report()


class CLibrary:
    """The C of `sources`, compiled and loaded, with the kernels in launchpath's context.

    Raises
    ------
    Missing
        The device is not of a driver that it knows, it cannot be compiled, or the driver refuses a call.
    """

    SOURCES: ClassVar = {"cuda": CUDA, "opencl": OPENCL}

    def __init__(self, kernels: StepKernels) -> None:
        self.driver = kernels.device.info["driver"]
        if self.driver not in self.SOURCES:
            raise Missing(f"it does not support {self.driver} devices")
        with tempfile.TemporaryDirectory(prefix="launchpath-bench-") as folder:
            self.c = ctypes.CDLL(str(shared_library(self.SOURCES[self.driver], "C", Path(folder))))
        self.c.failure.restype = ctypes.c_char_p
        self.c.begin_work.restype = ctypes.c_void_p
        self.c.submit.restype = ctypes.c_int64
        opened = self._open_cuda(kernels) if self.driver == "cuda" else self._open_opencl(kernels)
        if opened:
            self.close()
            raise Missing(self.failure())

    def _open_cuda(self, kernels: StepKernels) -> int:
        names = [os.environ.get(gpu.VARIABLES["cuda"]) or "", *gpu.libraries("cuda")]
        image = kernels.program._image.code
        return int(self.c.open_driver(_library(names), kernels.device.info["ordinal"], image))

    def _open_opencl(self, kernels: StepKernels) -> int:
        embedded, info = opencl.embedded_runtime(), kernels.device.info
        names = [os.environ.get(opencl.LIBRARY_VARIABLE) or "", embedded.loader if embedded else ""]
        baseline = _core.OpenCLBaseline(kernels.kernels[0][1, THREADS], kernels.device.legacy_stream)
        _, device, context = map(ctypes.c_void_p, baseline.native())
        binary = kernels.program.binary()
        profiling = "no-profiling" not in workarounds.in_force("opencl")(info["platform"], info["kind"])
        library = _library([*names, *opencl.system_libraries()])
        return int(self.c.open_driver(library, device, context, binary, ctypes.c_size_t(len(binary)), profiling))

    def failure(self) -> str:
        """Say which call failed, and its code."""
        code = ctypes.c_int()
        call = self.c.failure(ctypes.byref(code)).decode()
        return f"{call} failed with code {code.value}"

    def checked(self, result: int | None) -> int:
        """Give what a function returned.

        Raises
        ------
        LaunchpathError
            It failed.
        """
        if result is None or result == -1:
            raise LaunchpathError(f"the launches in C: {self.failure()}")
        return int(result)

    def close(self) -> None:
        """Unload the kernels."""
        self.c.close_driver()


def _library(names: Sequence[str]) -> bytes:
    """Give the first of the libraries that can be loaded: it is what launchpath has loaded."""
    for name in filter(None, names):
        try:
            ctypes.CDLL(name)
        except OSError:
            continue
        return name.encode()
    raise Missing(f"no library of the driver can be loaded ({', '.join(filter(None, names))})")


class C(Subject):
    """A loop in C of the driver's own launch call.

    On CUDA devices ``cuLaunchKernel`` with packed arguments on the legacy default stream, which is launchpath's too. On
    OpenCL devices ``clEnqueueNDRangeKernel`` on a queue of its own in launchpath's context: a queue that launchpath had
    handed out would end what steps keep back. Before it ``clSetKernelArg``, if the argument has changed.
    """

    subject = "c"
    rows = 0  # of the launches in a graph; 0: there is no graph

    def __init__(self, kernels: StepKernels, case: Case, library: CLibrary) -> None:
        super().__init__(kernels, case)
        self.library, count = library, len(kernels.kernels)
        entries = [kernels.entries[i % count].encode() for i in range(case.launches)]
        outs = [array.bare_address for array in kernels.outputs[: case.launches]]
        self.work = ctypes.c_void_p(
            library.checked(
                library.c.begin_work(
                    case.launches,
                    (ctypes.c_char_p * case.launches)(*entries),
                    THREADS,
                    ctypes.c_uint64(kernels.input.bare_address),
                    (ctypes.c_uint64 * case.launches)(*outs),
                    ctypes.c_float(FIXED_ARGUMENT),
                    self.rows,
                )
            )
        )

    def prepared(self, values: Sequence[float]) -> Any:
        return (ctypes.c_float * len(values))(*values)

    def submit(self, values: Any) -> int:
        changes = self.case.changing_launches
        return self.library.checked(self.library.c.submit(self.work, len(values), values, changes.start, len(changes)))

    def synchronize(self) -> None:
        self.library.checked(self.library.c.synchronize())

    def held(self) -> AbstractContextManager[object]:
        return self._held() if self.holds else nullcontext()

    @contextmanager
    def _held(self) -> Iterator[None]:
        self.library.checked(self.library.c.hold())
        try:
            yield
        finally:
            self.library.checked(self.library.c.release())

    def close(self) -> None:
        self.library.c.end_work(self.work)


class CGraph(C):
    """A CUDA graph built in C, node by node, and launched by ``cuGraphLaunch``.

    Before it ``cuGraphExecKernelNodeSetParams`` for each launch whose argument has changed. A case of several streams
    is a graph of as many rows.
    """

    subject = "c-graph"

    def __init__(self, kernels: StepKernels, case: Case, library: CLibrary) -> None:
        if library.driver != "cuda":
            raise Missing(f"it does not support {library.driver} devices")
        self.rows = max(1, case.streams)
        super().__init__(kernels, case, library)
