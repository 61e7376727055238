"""Cases by number: a few in a test, as many as there is time for in ``make fuzz``; one can be run again by itself.

``LAUNCHPATH_FUZZ_SECONDS``
    How long each test looks for failures; without it, it runs a fixed number of cases.
``LAUNCHPATH_FUZZ_SEED``
    Which cases those are; without it the same each time.
``LAUNCHPATH_FUZZ_CASE``
    Only the case of this number, as a failure names it.
"""

import os
import resource
import signal
import time
from collections.abc import Callable
from random import Random
from types import FrameType

from launchpath.errors import LaunchpathError

SECONDS = float(os.environ.get("LAUNCHPATH_FUZZ_SECONDS") or 0)
SEED = int(os.environ.get("LAUNCHPATH_FUZZ_SEED") or 1)
CASE = os.environ.get("LAUNCHPATH_FUZZ_CASE") or ""
_LONGEST = 60.0  # seconds of the processor for one case
_MOST = 1 << 30  # bytes that the process may grow by


class TooLongError(BaseException):
    """A case did not end."""


def run(name: str, case: Callable[[Random], object], short: int, also: tuple[type[Exception], ...] = ()) -> int:
    """Run cases; each must give a result, or raise an error of launchpath's, or one of `also`.

    Parameters
    ----------
    name : str
        The test's.
    case : callable
        Takes the generator that makes all of the case; wrong results are AssertionErrors.
    short : int
        How many to run if there is no ``LAUNCHPATH_FUZZ_SECONDS``.

    Returns
    -------
    int
        How many have run.
    """
    end = time.monotonic() + SECONDS
    before = signal.signal(signal.SIGVTALRM, _too_long)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 + _MOST
    number = int(CASE) if CASE else 0
    try:
        while True:
            signal.setitimer(signal.ITIMER_VIRTUAL, _LONGEST)
            try:
                case(Random(f"{SEED} {name} {number}"))
            except (LaunchpathError, *also):
                pass
            except BaseException as error:
                error.add_note(f"to run it again: LAUNCHPATH_FUZZ_SEED={SEED} LAUNCHPATH_FUZZ_CASE={number}")
                raise
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            assert grown < most, f"case {number} of seed {SEED} takes memory without bound: {grown >> 20} MiB"
            number += 1
            if CASE or (time.monotonic() >= end if SECONDS else number >= short):
                print(f"{name}: seed {SEED}, {number} cases")
                return number
    finally:
        signal.signal(signal.SIGVTALRM, before)


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TooLongError(f"a case took more than {_LONGEST:.0f} s")
