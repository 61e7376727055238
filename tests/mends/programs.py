"""Programs of a simulated machine in processes of their own, with mends forced by the environment."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from launchpath._trace.files.file import TraceFile
from tests.patience import PATIENCE

# At exit `synchronize` is called without a frame of the program's; without it what is in flight is waited for in vain.
SIMULATED = """
import atexit, sys, threading
import numpy as np
import launchpath as lp
from tests.simulated import Machine
machine = Machine(check=False)
device = machine.device
device.__enter__()
mix = machine.kernel()
stream, = machine.streams(("nonblocking",))
a, b = lp.zeros(16, "uint32", device), lp.zeros(16, "uint32", device)
values = np.arange(16, dtype=np.uint32)
atexit.register(device.synchronize)
"""
REAL = """
import sys, threading
import numpy as np
import launchpath as lp
program = lp.compile('''
__global__ void scale(float* out, const float* in, const float* by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * by[0] + by[1];
}
__global__ void spin(int* out, int rounds) {
    unsigned x = 1;
    for (int i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u;
    *out = (int)(x | 1u);
}''')
stream = lp.Stream(blocking=False)
a, b = lp.zeros(256, "float32"), lp.zeros(256, "float32")
by = lp.zeros(2, "float32")
values = np.array([1.5, 0.5], np.float32)
"""


def variables(**more: str) -> dict[str, str]:
    kept = {
        name: text
        for name, text in os.environ.items()
        if not name.startswith("LAUNCHPATH_") or name in ("LAUNCHPATH_CACHE_DIR", "LAUNCHPATH_CACHE_LIMIT")
    }
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **more}


def write(folder: Path, code: str, head: str = SIMULATED) -> tuple[Path, dict[str, int]]:
    """Write a program, and give the numbers of lines that have a comment ``# name``."""
    path = folder / "program.py"
    path.write_text(head + code)
    lines = {line.rpartition("# ")[2]: i + 1 for i, line in enumerate(path.read_text().splitlines()) if "# " in line}
    return path, lines


def run(path: Path, mend: str, **more: str) -> tuple[str, dict[str, Any]]:
    """Run it with a mend, and give what it wrote and what the trace says of mends."""
    trace = path.with_name("t.lptrace")
    environment = variables(
        LAUNCHPATH_TRACE=str(trace), LAUNCHPATH_TRACE_OPTIONS='{"mode": "host"}', LAUNCHPATH_MEND=mend, **more
    )
    done = subprocess.run(
        [sys.executable, str(path)], env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    with TraceFile(trace) as file:
        return done.stdout, json.loads(json.dumps(file.meta["mends"]))
