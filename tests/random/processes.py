"""Processes that run random programs beside one another, and what becomes of them."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .report import Outcome, Report

ROOT = Path(__file__).parents[2]
LONGER_S = 30  # than a program's patience is given to a process that should have ended by itself


@dataclass(frozen=True)
class Options:
    """How programs are run."""

    device: str
    processes: int = 1
    patience: float = 60
    threads: int | None = None
    failures: int = 10  # after so many no more seeds are handed out
    without: tuple[str, ...] = ()  # operations that are not drawn
    trace: str | None = None  # options of a trace for each program, as JSON
    traces: bool | None = None  # whether programs begin and end traces in their middle; None: some do


class Workers:
    """Hands seeds to processes, and starts a new one where one has ended."""

    def __init__(self, options: Options, report: Report, seeds: Iterator[int], until: float | None) -> None:
        self.options, self.report, self.seeds, self.until = options, report, seeds, until
        self._lock = threading.Lock()
        self._variables, self._words, self._reaches = device_environment(options.device)

    def run(self) -> None:
        """Run all programs."""
        threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(self.options.processes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():  # Ctrl-C gets through
                thread.join(0.2)

    def _next_seed(self) -> int | None:
        with self._lock:
            is_late = self.until is not None and time.monotonic() > self.until
            if is_late or self.report.failed >= self.options.failures:
                return None
            return next(self.seeds, None)

    def _add(self, outcome: Outcome) -> None:
        with self._lock:
            self.report.add(outcome)

    def _serve(self) -> None:
        seed = self._next_seed()
        while seed is not None:
            with tempfile.TemporaryFile("w+") as errors:
                seed = self._serve_process(seed, errors)

    def _serve_process(self, seed: int | None, errors: IO[str]) -> int | None:
        """Run programs in one process; return the seed of the first that another one is to run."""
        process = self._start(errors)
        assert process.stdin is not None and process.stdout is not None
        last = -1
        while seed is not None:
            last = seed
            alarm = threading.Timer(self.options.patience + LONGER_S, process.kill)
            alarm.start()
            try:
                process.stdin.write(f"{seed}\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except OSError:
                line = ""
            finally:
                alarm.cancel()
            if not line:
                self._add(self._ended(process, seed, errors))
                return self._next_seed()
            outcome = Outcome(**json.loads(line))
            self._add(outcome)
            seed = self._next_seed()
            if outcome.kind != "right":
                break
        with process.stdin:
            pass
        self._wait(process)
        if process.returncode and outcome.kind == "right":
            self._add(self._ended(process, last, errors, "at exit, after "))
        process.stdout.close()
        return seed

    def _start(self, errors: IO[str]) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tests.random.worker", "--device", self._words,
                   "--patience", str(self.options.patience)]  # fmt: skip
        if self.options.threads:
            command += ["--threads", str(self.options.threads)]
        if self._reaches:
            command += ["--reaches"]
        if self.options.without:
            command += ["--without", ",".join(self.options.without)]
        if self.options.trace is not None:
            command += ["--trace", self.options.trace]
        if self.options.traces is not None:
            command += ["--traces", json.dumps(self.options.traces)]
        return subprocess.Popen(command, cwd=ROOT, env=self._variables, text=True, stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=errors)  # fmt: skip

    def _wait(self, process: subprocess.Popen[str]) -> None:
        try:
            process.wait(self.options.patience + LONGER_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _ended(self, process: subprocess.Popen[str], seed: int, errors: IO[str], where: str = "") -> Outcome:
        self._wait(process)
        errors.seek(0)
        text = errors.read()
        is_hung = "Timeout (" in text or process.returncode == -9
        kind = "hung" if is_hung else "crashed"
        return Outcome(seed, kind, 0, f"{where}seed {seed}: exit code {process.returncode}\n{text}")


def device_environment(device: str) -> tuple[dict[str, str], str, bool]:
    """Return the environment for a device, its words there, and whether the host reaches its memory anyway.

    "standin" is the CUDA library of ``tests/standin``, which runs in host memory; "standin-cupti" has a stand-in of CUPTI
    beside it, for traces.
    """
    variables = dict(os.environ)
    variables["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [variables.get("PYTHONPATH")])])
    if device not in ("standin", "standin-hip", "standin-cupti"):
        return variables, device, False
    from tests.standin.build import environment

    driver = "hip" if device == "standin-hip" else "cuda"
    variables |= environment(driver, devices=1, cupti=device == "standin-cupti") | {
        "LAUNCHPATH_OPENCL_LIBRARY": "/none"
    }
    return variables, driver, True
