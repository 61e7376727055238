"""A solver that gives its memory back to the driver after each step, to be on the safe side."""

from __future__ import annotations

import launchpath as lp
from benchmarks.findings.program import Clock, Load, run

WORKSPACES, WORKSPACE = 32, 1 << 18
SOURCE = """
// As `relax`, by way of a workspace.
__global__ void relax_in(float* workspace, float* x, const float* goal, int n, int rounds, float rate) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float value = x[i], to = goal[i];
        for (int round = 0; round < rounds; round++) value = value * (1.0f - rate) + rate * to;
        workspace[i] = value;
        x[i] = workspace[i];
    }
}
"""


def main(mended: bool, repetitions: int) -> None:
    """Solve; mended: the memory stays in the pool from step to step."""
    load = Load()
    stream = lp.Stream(blocking=False)
    x, goal = load.pair(load.whole, stream)
    relax_in = lp.compile(SOURCE, name="relax_in").relax_in[load.whole, load.threads, stream]
    rounds = load.rounds(40, load.whole)
    clock = Clock(repetitions)
    for _ in clock:
        workspaces = [lp.empty(WORKSPACE, stream=stream) for _ in range(WORKSPACES)]
        for workspace in workspaces:
            relax_in(workspace, x, goal, x.size, rounds, 1e-4)
        if float(x[:1].to_numpy(stream)[0]) > 2:
            raise SystemExit("it does not converge")
        del workspaces, workspace
        if not mended:
            load.device.trim_memory()  # fault
    clock.report(x.to_numpy(stream))


if __name__ == "__main__":
    run(main, 300)
