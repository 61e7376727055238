"""A process that runs random programs: it reads a seed a line, and writes what came of it a line, as JSON.

A program that does not end within the patience given ends the process with all threads' stacks on stderr.
"""

import argparse
import faulthandler
import json
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

# NumPy's threads would only be in the way, and CUDA shares 8 queues in hardware between streams unless told otherwise.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("CUDA_DEVICE_MAX_CONNECTIONS", "32")


def main() -> None:
    """Run programs until no more seeds come."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", required=True)
    parser.add_argument("--patience", type=float, required=True)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--reaches", action="store_true")
    parser.add_argument("--without", default="")
    parser.add_argument("--trace", type=json.loads)
    parser.add_argument("--traces", type=json.loads)
    options = parser.parse_args()
    faulthandler.enable()
    import launchpath as lp

    from .program import Program
    from .traces import run_traced

    devices = [lp.device(words) for words in options.device.split(",")]
    noticed = _noticed()
    for line in sys.stdin:
        faulthandler.dump_traceback_later(options.patience, exit=True)
        program = Program(
            int(line),
            devices,
            options.reaches,
            options.threads,
            without=options.without.split(","),
            traces=options.traces if options.trace is None else False,
        )
        before = _dependent(devices)
        outcome = program.run() if options.trace is None else run_traced(program, options.trace)
        counts = (after - earlier for after, earlier in zip(_dependent(devices), before, strict=True))
        outcome = replace(outcome, **dict(zip(("dependent", "edges", "early"), counts, strict=True)))
        reports = noticed()
        if outcome.kind == "right" and reports:
            outcome = replace(outcome, kind="wrong", text="\n".join(reports))
        faulthandler.cancel_dump_traceback_later()
        print(json.dumps(outcome.as_dict()), flush=True)
        if outcome.kind != "right":
            break  # what a failure leaves behind is no start for another program
    faulthandler.dump_traceback_later(options.patience, exit=True)  # the exit may hang too


def _dependent(devices: Iterable[Any]) -> list[int]:
    """Count the dependent launches of devices so far, and of graphs the dependent edges and the early variants."""
    drivers = [device.driver_device for device in devices]
    names = ("dependent_launches", "dependent_edges", "early_nodes")
    return [sum(getattr(each, name, 0) for each in drivers) for name in names]


def _noticed() -> Callable[[], list[str]]:
    """Return what tells of misuse that the stand-in noticed; of other libraries nothing is known."""
    path = os.environ.get("HIP_FORWARD_CUDA") or os.environ.get("LAUNCHPATH_CUDA_LIBRARY")
    if "STANDIN_KERNELS" not in os.environ or path is None:
        return list
    from tests.standin.control import Control

    control = Control(path)
    control.record(False)
    return control.reports


if __name__ == "__main__":
    main()
