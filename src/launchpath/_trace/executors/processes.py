"""Processes of this machine as an executor."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress

import msgpack

from launchpath._trace.executors.batches import Batch, Batches
from launchpath._trace.executors.inputs import Input
from launchpath._trace.executors.outcome import Outcome
from launchpath._trace.executors.part import Part, Progress, plain
from launchpath._trace.executors.worker import receive, send
from launchpath.errors import TraceFileError

_HERE = 1.0  # seconds of work that no process is started for: it takes a third of a second to start
_WORTH = 0.5  # seconds of work that a process is worth
_ENDS = 5.0  # seconds in which a process ends whose output is closed
_START = (
    "import sys; sys.path[:] = sys.argv[2:]; "
    "from launchpath._trace.executors.worker import main; main(int(sys.argv[1]))"
)


class Processes:
    """Reads files in processes; in this one where that is faster.

    Parameters
    ----------
    most : int, optional
        How many processes there are at most. Default: one for each processor that this process may run on.
    at_once : bool
        Whether processes are started for the least work too.
    """

    def __init__(self, most: int | None = None, at_once: bool = False) -> None:
        self.most = most or _processors()
        self.at_once = at_once
        self.workers: list[_Worker] = []

    def run(self, inputs: Sequence[Input], progress: Progress) -> Outcome:
        """Read files.

        Raises
        ------
        TraceFileError
            No process can be started.
        """
        outcome = Outcome(files=len(inputs))
        seconds = sum(each.seconds for each in inputs)
        count = self.most if self.at_once else min(self.most, int(seconds / _WORTH))
        if not self.at_once and (seconds < _HERE or count < 2 or len(inputs) < 2):
            done = 0

            def step() -> None:
                nonlocal done
                done += 1
                progress(done, len(inputs))

            outcome.add(Part.of(inputs, step=step))
            return outcome.ordered()
        try:
            self._read(Batches(inputs, count, outcome), count, outcome, progress)
        finally:
            for worker in self.workers:
                worker.end()
            self.workers.clear()
        return outcome.ordered()

    def _read(self, batches: Batches, count: int, outcome: Outcome, progress: Progress) -> None:
        count, done, bad_starts = min(count, len(batches.left)), 0, 0
        with selectors.DefaultSelector() as selector:
            while batches.left or any(worker.batch for worker in self.workers):
                for worker in self.workers:
                    if worker.started and worker.batch is None:
                        worker.give(batches.take())
                while len(self.workers) < count and batches.left:
                    worker = _Worker()
                    self.workers.append(worker)
                    selector.register(worker.lengths, selectors.EVENT_READ, worker)
                for key, _ in selector.select():
                    worker = key.data
                    answer = worker.answer()
                    if answer is None:
                        selector.unregister(worker.lengths)
                        self.workers.remove(worker)
                        reason = worker.loss()
                        if worker.batch is not None:
                            batches.lost(worker.batch, reason)
                        bad_starts += not worker.started
                        if bad_starts > 1:
                            raise TraceFileError(f"expected a process that reads traces, got one that {reason} at once")
                        continue
                    worker.started = True
                    if worker.batch is not None:
                        outcome.add(Part.unpack(answer))
                        done += len(worker.batch.inputs)
                        progress(done, outcome.files)
                    worker.give(batches.take())


class _Worker:
    def __init__(self) -> None:
        self.file = os.memfd_create("launchpath-answers")
        words = (str(self.file), *(part or os.getcwd() for part in sys.path))
        try:
            # A group of its own: an interrupt from the terminal is for the process that waits for it.
            self.process = subprocess.Popen(
                [sys.executable, "-c", _START, *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=[self.file],
                process_group=0,
            )
        except OSError as error:
            os.close(self.file)
            raise TraceFileError(f"expected a process that reads traces, got: {error}") from None
        assert self.process.stdin is not None and self.process.stdout is not None
        self.questions, self.lengths = self.process.stdin, self.process.stdout
        self.batch: Batch | None = None
        self.started = False

    def give(self, batch: Batch | None) -> None:
        """Give it files to read, or nothing more to do until others are lost."""
        self.batch = batch
        if batch is not None:
            with suppress(OSError):  # it was lost: there will be no answer either
                send(self.questions, msgpack.packb(plain(batch.inputs)))

    def answer(self) -> bytes | None:
        """Give what it has answered; None if it has ended."""
        length = receive(self.lengths)
        return None if length is None else os.pread(self.file, int.from_bytes(length, "little"), 0)

    def loss(self) -> str:
        """Say what has ended it, once it gives no answers any more."""
        with suppress(subprocess.TimeoutExpired):  # it has closed its output, and goes on
            self.process.wait(_ENDS)
        self.end()
        code = self.process.returncode
        if code >= 0:
            return f"ended with {code}"
        try:
            return f"was killed by {signal.Signals(-code).name}"
        except ValueError:  # a real-time signal
            return f"was killed by signal {-code}"

    def end(self) -> None:
        """End it. What it does is not needed any more."""
        self.process.kill()
        self.process.wait()
        self.lengths.close()
        os.close(self.file)
        with suppress(OSError):  # what it has not read
            self.questions.close()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
