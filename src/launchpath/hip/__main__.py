"""Run a program that was written for hip-python: ``python -m launchpath.hip program.py arguments``.

Its ``from hip import hip, hiprtc`` and ``from rocm.bindings import hip, hiprtc`` have launchpath's modules.
"""

from __future__ import annotations

import os
import runpy
import sys

USAGE = "usage: python -m launchpath.hip program.py [arguments]"
HELP = f"""{USAGE}

Runs a program that was written for hip-python, AMD's package of HIP for Python, unchanged, on any device that
launchpath has: its `from hip import hip, hiprtc` and `from rocm.bindings import hip, hiprtc` have launchpath's
modules. What follows the program's file is for the program.

Device 0 is launchpath's default device: LAUNCHPATH_DEVICE=cpu, for example, names another one, and
`launchpath devices` lists them. docs/hip.md has what is other than in AMD's runtime.
"""


def main() -> None:
    """Run the program that the command line names."""
    first = sys.argv[1] if len(sys.argv) > 1 else ""
    if first in ("-h", "--help"):
        print(HELP, end="")
        return
    if not first or first.startswith("-"):
        sys.exit(USAGE if not first else f"{USAGE}\nexpected a program's file, got the option {first!r}")
    if not os.path.exists(first):
        sys.exit(f"{USAGE}\nexpected a program's file, got {first!r}, which does not exist")
    from launchpath.hip._package import install  # noqa: PLC0415 (the help needs none of AMD's bindings)

    del sys.argv[0]
    install()
    sys.path[0] = os.path.dirname(sys.argv[0]) or "."
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
