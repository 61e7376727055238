"""A pipeline of two streams, and its timeline: while one stream computes, the other one copies.

A long signal comes in pieces. Each piece is uploaded, transformed and downloaded, on the two streams in turn. Pinned
memory lets copies run beside kernels. An event orders the two streams where one needs what the other writes.
The program records a trace of itself, and draws from the trace's file when each command began and ended on the
device. It does so some times, and draws the fastest run: on a busy CPU other programs come in between.

Run ``python examples/gallery/pipeline.py``.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

import launchpath as lp
from picture import blocks, checked, device_of, options_of, save

Floats = npt.NDArray[np.float32]

THREADS = 128
TAPS = 32  # weights of the filter
COLOURS = {"host to device": "#4c9f70", "filter_signal": "#3b6fb6", "device to host": "#e08e45"}
SOURCE = """
// Each output is a weighted sum of TAPS inputs that begin at its place: a finite impulse response.
__global__ void filter_signal(int n, const float* weights, const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < TAPS; k++) sum += weights[k] * in[i + k];
    out[i] = sum;
}
"""


def signal(pieces: int, length: int) -> Floats:
    """Return a noisy wave that has TAPS values more than all pieces."""
    n = pieces * length + TAPS
    noise = np.random.default_rng(1).normal(0, 0.4, n)
    return (np.sin(np.arange(n) / 40) + noise).astype("float32")


def filtered(program: lp.Program, whole: Floats, pieces: int) -> Floats:
    """Filter the signal in pieces, on two streams."""
    device, length = program.device, (len(whole) - TAPS) // pieces
    streams = [lp.Stream(blocking=False, device=device) for _ in range(2)]
    weights = lp.empty(TAPS, device=device, stream=streams[0])
    weights.fill(1 / TAPS, streams[0])
    streams[1].wait(streams[0].record())  # the other stream reads the weights too
    pinned, out = (lp.pinned_empty(n, "float32", device) for n in (len(whole), pieces * length))
    pinned[:] = whole
    lanes = []
    for stream in streams:
        piece = lp.empty(length + TAPS, device=device, stream=stream)  # one value more than the kernel reads
        result = lp.empty(length, device=device, stream=stream)
        lanes.append((stream, piece, result, program.filter_signal[blocks(length, THREADS), THREADS, stream]))
    for k in range(pieces):
        stream, piece, result, filter_signal = lanes[k % 2]
        at = k * length
        with lp.range(f"piece {k}"):
            piece.copy_from(pinned[at : at + length + TAPS], stream)
            filter_signal(length, weights, piece, result)
            result.copy_to_host_async(out[at : at + length], stream)
    for stream in streams:
        stream.synchronize()
    return np.array(out)


def numpy_filtered(whole: Floats) -> npt.NDArray[np.float64]:
    """Compute the same in NumPy, in double precision: the mean of TAPS values in a row."""
    return np.convolve(whole.astype("float64"), np.full(TAPS, 1 / TAPS), mode="valid")[:-1]


def commands_of(file: Path) -> list[dict[str, Any]]:
    """Read from a trace which commands ran on the device, with their begin and end in milliseconds from the first."""
    (table,) = lp.read_trace(file).dispatches()
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    timed = [row for row in rows if row["timed"] and row["command"] in ("launch", "copy")]
    first = min(row["started"] for row in timed)
    for row in timed:
        row["shown"] = row["name"] if row["command"] == "launch" else row["direction"]
        row["from"], row["to"] = (row["started"] - first) / 1e6, (row["ended"] - first) / 1e6
    return timed


def draw(commands: list[dict[str, Any]]) -> Figure:
    """Draw the timeline: a row for each stream, a bar for each command."""
    figure = Figure(figsize=(7.6, 2.0), layout="constrained")
    axes, streams = figure.subplots(), sorted({row["stream"] for row in commands})
    for name, colour in COLOURS.items():
        of_name = [row for row in commands if row["shown"] == name]
        axes.barh(
            [streams.index(row["stream"]) for row in of_name],
            [row["to"] - row["from"] for row in of_name],
            left=[row["from"] for row in of_name],
            color=colour, edgecolor=colour, linewidth=1, height=0.6, label=name,
        )  # fmt: skip
    axes.set_yticks(range(len(streams)), ("first stream", "second stream")[: len(streams)])
    axes.invert_yaxis()
    axes.set(xlabel="milliseconds on the device")
    figure.legend(loc="outside upper center", ncols=len(COLOURS), frameon=False)
    return figure


def main() -> None:
    """Run the program."""
    parser = options_of(__doc__, "pipeline.png", pieces=8, length=400_000, runs=20)
    parser.add_argument("--trace", type=Path, help="keep the trace of the fastest run here, for launchpath report")
    options = parser.parse_args()
    program = lp.compile(SOURCE, device_of(options), defines={"TAPS": TAPS}, name="pipeline")
    whole = signal(options.pieces, options.length)
    filtered(program, whole, options.pieces)  # a driver may finish compiling only here
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.runs):
            file = Path(folder) / f"{number}.lptrace"
            with lp.trace(file):
                result = filtered(program, whole, options.pieces)
            checked("filtered signal", result, numpy_filtered(whole), 1e-5)
            commands = commands_of(file)
            runs.append((max(row["to"] for row in commands), file, commands))
        milliseconds, file, commands = min(runs, key=lambda run: run[0])
        if options.trace:
            shutil.copy(file, options.trace)
    print(f"{len(commands)} commands on the device in {milliseconds:.2f} ms, in the fastest of {options.runs} runs")
    save(draw(commands), options.output, colours=64)


if __name__ == "__main__":
    main()
