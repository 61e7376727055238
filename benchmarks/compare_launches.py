"""Whether a change makes launches slower: the cost of a launch in two built checkouts, beside C's own loop in each.

    python -m benchmarks.compare_launches /path/to/before . --device intel --device pocl --json results.json

Each round runs one process for each checkout, in turn. A process launches in blocks, and after each block C launches as
many times by the same driver calls (a baseline). The figure is the median of the blocks' ratios, which a busy machine
moves little. On CPU devices the stream is held meanwhile, so that the launches have the processor.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path

CHILD = '''
import contextlib, json, statistics, struct, sys, time
import launchpath as lp
from launchpath import _core
words, blocks, size = sys.argv[1], 120, 200
device = lp.device(words)
program = lp.compile("""extern "C" __global__ void saxpy(const float *x, float *y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}""", device=device)
x, y = lp.zeros(256, "float32", device), lp.zeros(256, "float32", device)
stream = lp.Stream(device=device)
launch = program.saxpy[1, 32, stream]
packed = struct.pack("<QQfi", x.pointer, y.pointer, 2.0, 256)
baseline = (_core.OpenCLBaseline if device.info["driver"] == "opencl" else _core.GPUBaseline)(launch, stream)
held = stream.hold if device.info["kind"] == "cpu" else contextlib.nullcontext

def ours():
    with held():
        began = time.perf_counter_ns()
        for _ in range(size):
            launch(x, y, 2.0, 256)
        took = time.perf_counter_ns() - began
    stream.synchronize()
    return took / size

def c():
    with held():
        took = baseline.launch(size, packed)
    stream.synchronize()
    return took / size

for _ in range(5):
    ours(), c()
pairs = [(ours(), c()) for _ in range(blocks)]
print(json.dumps({
    "device": device.name + " (" + device.info["platform"] + ")",
    "launch_ns": statistics.median(a for a, _ in pairs),
    "c_ns": statistics.median(b for _, b in pairs),
    "ratio": statistics.median(a / b for a, b in pairs),
}))
'''


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare_launches", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("before", type=Path, help="a checkout with a built core")
    parser.add_argument("after", type=Path, help="the other one")
    parser.add_argument("--device", action="append", help="words for launchpath.device; may be repeated")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--json", type=Path, help="a file for the results")
    return parser.parse_args()


def measure(checkout: Path, words: str) -> dict[str, object]:
    """Run one process of a checkout."""
    environment = os.environ | {"PYTHONPATH": str(checkout.resolve() / "src")}
    done = subprocess.run(
        [sys.executable, "-c", CHILD, words], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{checkout}: {done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    """Measure and print."""
    options = arguments()
    rows = []
    for words in options.device or [""]:
        runs = [(measure(options.before, words), measure(options.after, words)) for _ in range(options.rounds)]
        row = {"device": runs[0][0]["device"], "rounds": options.rounds}
        for at, name in enumerate(("before", "after")):
            row[name] = {key: round(statistics.median(run[at][key] for run in runs), 4)
                         for key in ("launch_ns", "c_ns", "ratio")}  # fmt: skip
        row["change_percent"] = round(100 * (row["after"]["ratio"] / row["before"]["ratio"] - 1), 2)
        rows.append(row)
        before, after = row["before"]["ratio"], row["after"]["ratio"]
        change = row["change_percent"]
        print(f"{row['device']}: {before:.3f} times C's cost before, {after:.3f} after: {change:+.2f} %")
    if options.json:
        result = {"benchmark": "compare_launches", "python": platform.python_version(), "rows": rows}
        options.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
