"""Random commands of several threads in C, traced: every command has a record, and in mode device its times.

    python -m tests.recorder.cuda_random [--seeds 20] [--seed 1] [--library libcuda.so.1] [--threads 8] [--steps 400]

Without a library it runs on the stand-in; with ``libcuda.so.1`` on a GPU.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import launchpath as lp
from tests.recorder.programs import compiled, traced
from tests.standin.build import library
from tests.standin.client import IMAGE

PTX = b""".version 6.0\n.target sm_50\n.address_size 64
.visible .entry nothing(){ret;}\n.visible .entry deep(){ret;}\n"""
NAMES = ("launch", "copy", "fill")


def standin_variables() -> dict[str, str]:
    """Return what the stand-ins of CUDA and CUPTI need."""
    return {
        "STANDIN_KERNELS": str(library("kernels")),
        "STANDIN_CUPTI_CUDA": str(library("cuda")),
        "LAUNCHPATH_CUPTI_LIBRARY": str(library("cupti")),
        "STANDIN_CUPTI_VERSION": "130500",
    }


def check(program: Path, folder: Path, seed: int, threads: int, steps: int, *options: str, cuda: str = "") -> int:
    """Run the program of a seed, and compare its records with its counts; return how many commands they were."""
    (folder / "image").write_bytes(PTX if cuda else IMAGE)
    variables = {} if cuda else standin_variables()
    words = (cuda or library("cuda"), seed, folder / "image", threads, steps)
    for file in folder.glob("*.lptrace"):
        file.unlink()
    done = traced(folder, program, *words, options=options, **variables)
    assert done.returncode == 0, done.stderr
    counts = list(map(int, done.stdout.split()))
    saved = lp.read_trace(folder / "t.lptrace")
    (table,) = saved.dispatches()
    in_graph, failed = table["function"] == "cuGraphLaunch", table["failed"]
    for place, name in enumerate(NAMES):
        of_kind = (table["command"] == name) & ~failed
        assert int((of_kind & ~in_graph).sum()) == counts[place], (seed, name)
        assert int((of_kind & in_graph).sum()) == counts[3 + place], (seed, name, "of graphs")
    assert int(failed.sum()) == counts[6]
    summary = saved.summary()
    assert summary.counts["not_understood"] == summary.counts["dropped"] == 0, (seed, summary.counts)
    if "host" not in options:
        missing = ~table["timed"] & ~failed
        assert int(missing.sum()) == summary.counts["untimed"] + summary.counts["failed_times"], (seed, summary.counts)
        right = table["timed"]
        assert (table["started"][right] <= table["ended"][right]).all()
        assert (table["started"][right] + 1000 >= table["driver_begin"][right]).all()
        return int(right.sum())
    return len(table["timed"])


def main() -> int:
    """Run seeds in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--library", default="")
    parser.add_argument("--mode", default="device")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--steps", type=int, default=400)
    asked = parser.parse_args()
    commands = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        program = compiled("cuda_random", Path(folder))
        for seed in range(asked.seed, asked.seed + asked.seeds):
            try:
                commands += check(
                    program, Path(folder), seed, asked.threads, asked.steps, "--mode", asked.mode, cuda=asked.library
                )
            except AssertionError as error:
                wrong += 1
                print(f"seed {seed}: {error}")
    print(f"{asked.seeds} programs, {commands} commands with records, {wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
