"""Time `lp.compile` of a new small kernel: ``python -m benchmarks.first_compile [turns] [folder ...]``.

Each turn is a process of its own that opens the device. The kernel is in no cache; the headers are precompiled. Each
folder is that of another ``launchpath`` package to compare with, taken in turns: ``other/src``. LAUNCHPATH_DEVICE names
the device, else it is Intel's.

- wall: from the call of ``lp.compile`` until the program can be launched;
- own: the processor time of the calling process, the driver's compiler included;
- others: that of the processes it started.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from itertools import count

from launchpath._bench.compiling import KERNEL

TURNS = 21
_CODE = """
import json, os, resource, sys, time
import launchpath as lp
device = lp.device(sys.argv[2])
device.legacy_stream
def worked(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime
began, own = time.perf_counter(), worked(resource.RUSAGE_SELF)
lp.compile(sys.argv[1], device).saxpy
wall, own = time.perf_counter() - began, worked(resource.RUSAGE_SELF) - own
from launchpath._compiler.process import pool
if sys.argv[3] == "1":
    pool.finish()
pool.end()  # the system then knows what its processes took
print(json.dumps({"wall": wall, "own": own, "others": worked(resource.RUSAGE_CHILDREN)}))
"""


def main() -> None:
    """Print the medians."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else TURNS
    folders = ["", *sys.argv[2:]]
    device = os.environ.get("LAUNCHPATH_DEVICE") or "intel"
    number = count(2)

    def measure(folder: str, finishes: bool = False) -> dict[str, float]:
        environment = {**os.environ, "LAUNCHPATH_CACHE_DIR": f"{cache}/{folders.index(folder)}"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a package that is installed has its modules as bytecode
        if folder:
            environment["PYTHONPATH"] = os.pathsep.join([os.path.abspath(folder), os.environ.get("PYTHONPATH", "")])
        line = [sys.executable, "-c", _CODE, KERNEL % next(number), device, str(int(finishes))]
        done = subprocess.run(line, env=environment, cwd=cache, check=True, capture_output=True)
        return dict(json.loads(done.stdout))

    with tempfile.TemporaryDirectory(prefix="launchpath-bench-") as cache:
        for folder in folders:  # precompiles the headers, and writes bytecode
            measure(folder, finishes=True)
            measure(folder, finishes=True)
        rows = [[measure(folder) for folder in folders] for _ in range(turns)]
    for index, folder in enumerate(folders):
        print(folder or "this package")
        for name in rows[0][0]:
            values = [1e3 * row[index][name] for row in rows]
            print(f"  {name}: median {statistics.median(values):.1f} ms ({min(values):.1f} to {max(values):.1f})")


if __name__ == "__main__":
    main()
