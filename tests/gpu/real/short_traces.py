"""Short traces with CUPTI while other threads submit: ``python -m tests.gpu.real.short_traces SECONDS WORK [SEED]``.

WORK is ``launches``, ``copies`` (and fills) or ``both``. Several such processes at a time show what CUPTI cannot stand: it
crashes the process. See docs/tracing.md, "Times on CUDA devices".
"""

from __future__ import annotations

import random
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType

import launchpath as lp
from tests.random.traces import check
from tests.tracing.raw import read

THREADS = 2
SOURCE = 'extern "C" __global__ void k(int a, int b) {}'


class Submitters:
    """Threads that launch, copy and fill on four streams that they share, until ``with`` ends."""

    def __init__(self, device: lp.Device, kind: str, threads: int = THREADS, seed: int = 0) -> None:
        self._streams = [lp.Stream(device=device) for _ in range(4)]
        self._arrays = [lp.zeros(4096, "uint32", device) for _ in range(8)]
        program = lp.compile(SOURCE, device=device) if kind != "copies" else None
        self._launches = [program["k"][1, 1, stream] for stream in self._streams] if program else []
        self._copies = kind != "launches"
        self._end = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=(1000 * seed + i,)) for i in range(threads)]
        device.synchronize()

    def submit(self, count: int, chance: random.Random) -> None:
        """Submit so many times to a stream by chance."""
        for _ in range(count):
            i = chance.randrange(4)
            if self._launches:
                self._launches[i](1, 2)
            if self._copies:
                self._arrays[i].fill(1, self._streams[i])
                self._arrays[i].copy_from(self._arrays[i + 4], self._streams[i])

    def _run(self, seed: int) -> None:
        chance = random.Random(seed)
        while not self._end.is_set():
            self.submit(chance.choice((1, 30)), chance)
            if chance.random() < 0.3:
                time.sleep(chance.choice((0.001, 0.004, 0.01)))

    def __enter__(self) -> Submitters:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join()


def main(seconds: float, kind: str, seed: int) -> int:
    """Begin and end traces for so many seconds; return the exit code."""
    device, chance, traces = lp.device("cuda"), random.Random(seed), 0
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder, Submitters(device, kind, seed=seed) as submitters:
        path = Path(folder) / "run.lptrace"
        while time.monotonic() < end:
            submitters.submit(chance.choice((0, 5)), chance)
            trace = lp.trace(path, cupti=True, ring=1024, timing_objects=64).start()
            submitters.submit(chance.choice((1, 3, 20)), chance)
            trace.stop(chance.choice((0, 0.02, 0.2)))
            traces += 1
            wrong = check(read(path), 2 * THREADS) if traces % 10 == 0 else ""
            if wrong:
                print(f"trace {traces}: {wrong}")
                return 1
    device.synchronize()
    print(f"{traces} traces")
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 0))
