"""The time of ``import launchpath``, beside ``import numpy``: whole processes, in turn."""

from __future__ import annotations

import platform
import subprocess
import sys
from functools import partial
from time import perf_counter_ns as now

from launchpath import _external
from launchpath._bench.measure import BLOCKS, Probe, Size, interleave
from launchpath._bench.result import Figure, Result

OVER_NUMPY = 60_000.0  # microseconds
PROCESSES = 30  # of each kind, where others have BLOCKS blocks
MODULES = ("launchpath", "numpy")


def run(size: Size | None = None) -> Result:
    """Measure with the Python that runs this.

    Parameters
    ----------
    size : Size, optional
        Processes in proportion to its blocks.
    """
    size = Size() if size is None else size
    processes = max(1, size.blocks * PROCESSES // BLOCKS)
    result = Result("import", f"Python {platform.python_version()}", measured="time of a process that imports")
    probes = [Probe(module, [{"import": module}], partial(_block, module)) for module in MODULES]
    result.rows = interleave(probes, Size(processes, 1, size.step))
    launchpath, numpy = (result.find(module, **{"import": module}) for module in MODULES)
    result.figures.append(Figure(launchpath, "over numpy", launchpath.us - numpy.us, "us", at_most=OVER_NUMPY))
    return result


def _block(module: str) -> list[float]:
    """Import in a process of its own; give microseconds.

    Raises
    ------
    subprocess.CalledProcessError
        It failed.
    RuntimeError
        Whether it did is not known.
    """
    began = now()
    line = [sys.executable, "-c", f"import {module}"]
    done = _external.run(line, capture=False)
    if done.code is None:
        raise RuntimeError(f"{' '.join(line)}: {_external.UNKNOWN_STATUS}")
    if done.code:
        raise subprocess.CalledProcessError(done.code, line)
    return [(now() - began) / 1e3]
