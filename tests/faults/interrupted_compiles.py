"""Interrupts at random moments of compilations: ``python -m tests.faults.interrupted_compiles 1000 [seed] [device]``.

With ``INTERRUPTED=small`` of a source that the program's own process compiles, else of one for another process.

Each is left within half a second; afterwards there are as many files and child processes as before, no temporary files,
no entry of the cache in part, and a program compiles and runs. Prints the seed, and the longest time.
"""

import os
import random
import signal
import sys
import tempfile
import threading
import time

LARGE = "".join(
    f"__global__ void k{i}(float *x, int n) {{ for (int a = 0; a < n; ++a) for (int b = 0; b < a; ++b)"
    f" x[a] += sinf(x[b] * {i}) / (cosf(x[a]) + powf(x[b], {i})); }}\n"
    for i in range(12)
)
SMALL = "__global__ void k(float *x, int n) { for (int a = 0; a < n; ++a) x[a] += sinf(x[a]); }\n"
LONGEST = 0.5  # seconds


def main(count: int, seed: int, which: str | None) -> None:
    folder = tempfile.mkdtemp(prefix="interrupted-")
    os.environ["LAUNCHPATH_CACHE_DIR"] = cache = os.path.join(folder, "cache")
    tempfile.tempdir = temporary = os.path.join(folder, "temporary")
    os.mkdir(temporary)
    import launchpath as lp
    from launchpath._compiler.process import pool

    print("seed", seed, flush=True)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
    chance = random.Random(seed)
    source = SMALL if os.environ.get("INTERRUPTED") == "small" else LARGE
    device = lp.device(which) if which else lp.current_device()
    lp.compile(SMALL, device)
    pool.finish()  # with precompiled headers
    began = time.monotonic()
    lp.compile(f"{source}//", device)
    whole = time.monotonic() - began
    check(lp, device, 0)
    pool.end()
    before = len(os.listdir("/proc/self/fd"))
    longest, left, late = 0.0, 0, 0
    for number in range(count):
        sent = [0.0]

        def interrupt(sent=sent):
            sent[0] = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(chance.uniform(0, 1.1 * whole), interrupt)
        try:
            timer.start()
            lp.compile(f"{source}// {seed} {number}", device)
            timer.join()
            time.sleep(0.01)
        except KeyboardInterrupt:
            took = time.monotonic() - sent[0]
            longest, left, late = max(longest, took), left + 1, late + (took > LONGEST)
        timer.join()
        if number % 50 == 49:
            print(f"{number + 1} of {count}: longest {longest:.3f} s", flush=True)
    check(lp, device, 1)
    time.sleep(2)  # builds that were dropped end
    pool.end()
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        children = file.read().split()
    parts = [name for name in os.listdir(cache) if name.endswith(".tmp")]
    after, files = len(os.listdir("/proc/self/fd")), os.listdir(temporary)
    print(f"{left} interrupted, {late} left after more than {LONGEST} s, the longest {longest:.3f} s; files {before} "
          f"and {after}, children {children}, temporary {files}, entries in part {parts}")  # fmt: skip
    if not left or late or children or parts or files or after > before:
        raise SystemExit(1)


def check(lp, device, number):
    program = lp.compile(f"__global__ void k(int *x) {{ x[0] = {number} + 7; }}", device)
    array = lp.zeros(1, "int32", device)
    program.k[1, 1](array)
    assert array.to_numpy()[0] == number + 7


if __name__ == "__main__":
    arguments = [*sys.argv[1:], "1000"][:1] + sys.argv[2:]
    seed = int(arguments[1]) if len(arguments) > 1 else random.SystemRandom().randrange(1 << 32)
    main(int(arguments[0]), seed, arguments[2] if len(arguments) > 2 else None)
