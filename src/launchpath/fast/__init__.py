"""Launches of Triton's, Numba's and CuPy's kernels by launchpath, in programs as they are.

``launchpath run --fast program.py`` does it for a whole program. In code::

    from launchpath import fast
    fast.install()
    ...
    print(fast.report())

Wherever a launch by launchpath could mean something else than the library's own, the library's own is made, and it is
counted.
"""

from __future__ import annotations

import atexit
import sys

from launchpath import _tracebacks
from launchpath._fast import environment, libraries
from launchpath._fast.report import FastReport, KernelLaunches, report
from launchpath._fast.trial import FastLaunchWarning

__all__ = ["FastLaunchWarning", "FastReport", "KernelLaunches", "install", "report", "uninstall"]


def install(*, children: bool = True) -> None:
    """Launch kernels of Triton, Numba and CuPy by launchpath from now on, in this process.

    A library that is imported already is included, and one that is imported later, too. Kernels may exist already.

    Parameters
    ----------
    children : bool
        Whether Python processes that this one starts do the same. They inherit ``LAUNCHPATH_FAST`` and an entry of
        ``PYTHONPATH``; forked ones inherit it in any case.

    Notes
    -----
    A line on stderr at the process's end says what was launched by each way, unless nothing was, or ``LAUNCHPATH_FAST``
    is ``quiet``.
    """
    libraries.install(children)
    atexit.unregister(_say)
    atexit.register(_say)


def uninstall() -> None:
    """Launch as the libraries do again, here and in child processes. What was counted stays in `report`."""
    libraries.uninstall()


def _say() -> None:
    total = report()
    if (total.fast or total.original) and not environment.is_quiet() and libraries.is_installed():
        sys.stderr.write(f"{total.line()}\n")


for _public in (FastReport, KernelLaunches, report, FastLaunchWarning):
    _public.__module__ = __name__
_tracebacks.make_boundaries(globals(), ("install", "uninstall", "report"))


def __dir__() -> list[str]:
    """List what is public, for help and completion."""
    return [*__all__, "__all__", "__doc__"]
