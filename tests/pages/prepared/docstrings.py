"""What the examples of docstrings use without showing it, and the files that they read."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import launchpath as lp

SOURCE = """
extern "C" __global__ void forces(float *state, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) state[i] += 1;
}
extern "C" __global__ void integrate(float *state, float dt, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) state[i] *= dt;
}
extern "C" __global__ void saxpy(const float *x, float *y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
"""
FILES = {
    "reduce.cu": 'extern "C" __global__ void reduce(float *x) { x[0] += x[1]; }\n',
    "scan.cu": 'extern "C" __global__ void scan(float *x) { x[N - 1] += x[0]; }\n',
}


def names() -> dict[str, Any]:
    """Write the files into the current folder, and give the names."""
    for file, source in FILES.items():
        Path(file).write_text(source, encoding="utf-8")
    program = lp.compile(SOURCE)
    program.save("saxpy.lp")
    state, n = lp.zeros(1000), 1000

    def plan(t: int = 0) -> list[Any]:
        return [(program.forces, (state, n)), (program.integrate, (state, 0.5 + t, n))]

    def simulate() -> None:
        program.forces[4, 256](state, n)

    return {
        "lp": lp,
        "launchpath": lp,
        "Path": Path,
        "plan": plan,
        "simulate": simulate,
        "compute": simulate,
        "request": SimpleNamespace(number=7),
        "forces": program.forces,
        "integrate": program.integrate,
        "grid": 4,
        "block": 256,
        "dt": 0.5,
        "n": n,
        "state": state,
        "x": lp.ones(n),
        "y": lp.zeros(n),
        "stream": lp.Stream(blocking=False),
        "step": lp.Step(),
    }
