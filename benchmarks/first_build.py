"""Time the stages of PoCL's first build in a process: ``python -m benchmarks.first_build [turns]``.

Each turn is a process of its own. It builds the OpenCL C that launchpath writes of one small kernel three times, each
time with another number in it, by the core alone: none of launchpath's compiler takes part.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import time

import launchpath as lp
from launchpath._bench.compiling import KERNEL
from launchpath._programs.builds import without_header

NUMBER = 7654321  # in the text, where each build has its own


def stages(text: str) -> dict[str, float]:
    """Build in this process; give the milliseconds of each stage."""
    device = lp.device("pocl").driver_device
    own = without_header.options(device.info)
    took = []
    for options in ("", "", own):
        wanted = text.replace(str(NUMBER), str(random.randrange(1, 10**7)))
        began = time.perf_counter()
        program = device.build(wanted, options)
        took.append(1e3 * (time.perf_counter() - began))
    began = time.perf_counter()
    program.binary()
    binary = 1e3 * (time.perf_counter() - began)
    first, later, without = took
    return {
        "library of functions, read once in a process": first - later,
        "header of functions": later - without,
        "the program's own text": without,
        "machine code, and linking it by ld": binary,
        "first build as a whole": first + binary,
    }


def main() -> None:
    """Print the medians."""
    if len(sys.argv) > 2:
        print(json.dumps(stages(sys.argv[2])))
        return
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    os.environ["LAUNCHPATH_CACHE"] = "0"  # the cache has no text
    text = lp.compile(KERNEL % NUMBER, "pocl")._image.code.decode()
    line = [sys.executable, "-m", "benchmarks.first_build", "1", text]
    rows = [json.loads(subprocess.run(line, check=True, capture_output=True).stdout) for _ in range(turns)]
    for name in rows[0]:
        values = [row[name] for row in rows]
        print(f"{name}: {statistics.median(values):.0f} ms ({min(values):.0f} to {max(values):.0f})")


if __name__ == "__main__":
    main()
