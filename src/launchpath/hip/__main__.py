"""Run a program that was written for hip-python: ``python -m launchpath.hip program.py arguments``.

Its ``from hip import hip, hiprtc`` and ``from rocm.bindings import hip, hiprtc`` have launchpath's modules.
"""

from __future__ import annotations

import importlib
import os
import runpy
import sys
from types import ModuleType


def install() -> None:
    """Let programs import launchpath's modules by the names of hip-python's."""
    names = ("hip", "hiprtc")
    modules = {name: importlib.import_module(f"launchpath.{name}") for name in names}
    package = ModuleType("hip")
    package.__path__ = []  # a package without a folder: nothing else is found in it
    sys.modules["hip"] = package
    bindings = importlib.import_module("rocm.bindings")
    for name, module in modules.items():
        for parent in (package, bindings):
            setattr(parent, name, module)
            sys.modules[f"{parent.__name__}.{name}"] = module


def main() -> None:
    """Run the program that the command line names."""
    if len(sys.argv) < 2:
        sys.exit("usage: python -m launchpath.hip program.py [arguments]")
    del sys.argv[0]
    install()
    sys.path[0] = os.path.dirname(sys.argv[0]) or "."
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
