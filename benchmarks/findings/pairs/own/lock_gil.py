"""A control loop beside a thread that computes in Python: each needs the interpreter's lock.

A trace shows which line waits for it, not which one has it.
"""

from __future__ import annotations

import hashlib
import threading

from benchmarks.findings.program import Load, Slices, run

BLOCK = bytes(1 << 20)


def checksum(data: bytes) -> int:
    """Compute a checksum in Python."""
    total = 0
    for byte in data:
        total = (total + byte * 31) & 0xFFFF
    return total


def main(mended: bool, repetitions: int) -> None:
    """Control, and write a log; mended: its checksums are computed by a library, which lets other threads run."""
    load = Load()
    x, goal = load.pair(load.whole)
    relax, rounds = load.relax[load.whole, load.threads], load.rounds(2000, load.whole)
    end = threading.Event()

    def write_log() -> None:
        while not end.is_set():
            if mended:
                hashlib.sha256(BLOCK).digest()
            else:
                checksum(BLOCK)

    log = threading.Thread(target=write_log)
    log.start()
    clock = Slices(repetitions)
    try:
        for _ in clock:
            relax(x, goal, x.size, rounds, 1e-4)
            if float(x[0]) > 2:  # fault
                raise SystemExit("it does not converge")
    finally:
        end.set()
        log.join()
    clock.report(x.to_numpy())


if __name__ == "__main__":
    run(main, 150)
