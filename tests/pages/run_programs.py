"""Run programs one after another in this process, each with a line before what it prints: the compilers stay for all.

python tests/pages/run_programs.py NAME.py ...
"""

import ctypes
import runpy
import sys
import traceback

MARK = "--- "


def run(file: str) -> None:
    """Run a program. An error is printed, and the next one runs."""
    print(f"{MARK}{file}")
    try:
        runpy.run_path(file, run_name="__main__")
    except BaseException:
        traceback.print_exc(file=sys.stdout)
    sys.stdout.flush()
    ctypes.CDLL(None).fflush(None)  # what kernels have printed


if __name__ == "__main__":
    for name in sys.argv[1:]:
        run(name)
