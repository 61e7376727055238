"""Runs the mistakes of a subject in one process, each in a namespace of its own, and prints what a user would see.

``python -m tests.mistakes.world SUBJECT``: a JSON object, by the number of the mistake: the faults, and the text.
"""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
import traceback
import warnings
from contextlib import redirect_stderr
from importlib import import_module
from typing import Any

from tests.mistakes.mistake import FILE, FUNCTION, Command, Mistake, Process, missing

SOURCE = """
struct Params { float dt; int n; };
__constant__ float weights[4];
__global__ void fill(float* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = i; }
__global__ void tile(const float* x, float* out) {
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[0];
}
__global__ void place(float3 at, float* out) { out[0] = at.x; }
__global__ void move(Params p, float* out) { out[0] = p.dt; }
__global__ void scale(double* x, int n) { x[0] = n; }
template <class T> __global__ void sum(T* x, int n) { x[0] = n; }
"""


def make_world() -> dict[str, Any]:
    """What each mistake finds."""
    import numpy as np

    import launchpath as lp
    from launchpath import hip

    program = lp.compile(SOURCE)
    x, stream, step = lp.zeros(1000, "float32"), lp.Stream(), lp.Step()
    with step:
        program.fill[4, 256](x, 1000)
    folder = tempfile.mkdtemp()
    with lp.trace(os.path.join(folder, "t.lptrace")) as trace:
        program.fill[4, 256](x, 1000)
    return {
        "lp": lp, "np": np, "hip": hip, "SOURCE": SOURCE, "program": program, "x": x, "n": 1000, "stream": stream,
        "step": step, "frozen": step.freeze(), "trace": trace, "event": lp.Event(), "device": lp.current_device(),
        "host": np.zeros(1000, "float32"), "folder": folder,
    }  # fmt: skip


def told(mistake: Mistake, world: dict[str, Any], package: str) -> tuple[list[str], str]:
    """Run a mistake: the faults of what it tells, and the text."""
    file = os.path.join(world["folder"], FILE)
    with open(file, "w", encoding="utf-8") as source:
        source.write(mistake.program)
    text = io.StringIO()
    try:
        with redirect_stderr(text), warnings.catch_warnings():
            warnings.simplefilter("always")
            exec(compile(mistake.program, file, "exec"), dict(world))
    except BaseException as error:
        with redirect_stderr(text):
            sys.excepthook(type(error), error, error.__traceback__)
        files = [entry.filename for entry in traceback.extract_tb(error.__traceback__)]
        below = files[len(files) - files[::-1].index(file) :]
        allowed = 1 if mistake.ends == FUNCTION else 0
        faults = missing(mistake, text.getvalue())
        if len(below) > allowed or not all(each.startswith(package) for each in below):
            faults.append(f"the traceback ends in {below}")
        return faults, text.getvalue()
    shown = text.getvalue()
    return missing(mistake, shown) or ([] if shown else ["passes in silence"]), shown


def main(subject: str) -> None:
    """Run the mistakes of a subject that need no process of their own."""
    world = make_world()
    package = os.path.dirname(world["lp"].__file__)
    rows = import_module(f"tests.mistakes.subjects.{subject}").MISTAKES
    plain = {n: row for n, row in enumerate(rows) if not isinstance(row, (Process, Command))}
    print(json.dumps({n: told(row, world, package) for n, row in plain.items()}))


if __name__ == "__main__":
    main(sys.argv[1])
