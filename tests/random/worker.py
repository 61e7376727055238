"""A process that runs random programs: it reads a seed a line, and writes what came of it a line, as JSON.

A program that does not end within the patience given ends the process with all threads' stacks on stderr.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import sys

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
    options = parser.parse_args()
    faulthandler.enable()
    import launchpath as lp

    from .program import Program

    devices = [lp.device(words) for words in options.device.split(",")]
    for line in sys.stdin:
        faulthandler.dump_traceback_later(options.patience, exit=True)
        outcome = Program(int(line), devices, options.reaches, options.threads).run()
        faulthandler.cancel_dump_traceback_later()
        print(json.dumps(outcome.as_dict()), flush=True)
        if outcome.kind != "right":
            break  # what a failure leaves behind is no start for another program
    faulthandler.dump_traceback_later(options.patience, exit=True)  # the exit may hang too


if __name__ == "__main__":
    main()
