"""The clock of this host as a trace of this process measures it, and notes it in its file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from launchpath._shown import described
from launchpath._trace.hosts.host_clock import KEY
from launchpath._tracing.clocks.address import Address, address
from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from launchpath._tracing.clocks.mpi import Ranks
    from launchpath._tracing.clocks.watch import Watch

VARIABLE = "LAUNCHPATH_TRACE_CLOCK"


def checked(clock: Any, environment: Mapping[str, str] = os.environ) -> Any:
    """Check the option ``clock`` of a trace: an address, a communicator, or None.

    Raises
    ------
    ArgumentValueError
        It is none of these.
    """
    if clock is None:
        text = environment.get(VARIABLE, "")
        return address(text, VARIABLE) if text else None
    if isinstance(clock, str):
        return address(clock)
    if is_communicator(clock):
        return clock
    raise ArgumentValueError(f"clock: expected 'HOST:PORT' or a communicator of mpi4py, got {described(clock)}")


def is_communicator(value: Any) -> bool:
    """Whether it is a communicator of mpi4py. This does not import mpi4py."""
    return any(kind.__module__.startswith("mpi4py") and kind.__name__ == "Intracomm" for kind in type(value).__mro__)


class ClockInside:
    """Measures from the begin of a trace to its end, if that is asked for.

    Parameters
    ----------
    asked : Address, communicator or None
        As `checked` gives it.
    noted : callable
        Writes facts into the file.
    """

    def __init__(self, asked: Any, noted: Callable[..., None]) -> None:
        self._asked = asked
        self._noted = noted
        self._watch: Watch | Ranks | None = None

    def begin(self) -> None:
        """Begin. A program does not wait for a reference by TCP; ranks of MPI begin together."""
        if self._asked is None:
            return
        # What asks others is imported where it is asked for.
        from launchpath._tracing.clocks.statements import kernel  # noqa: PLC0415

        told = {"kernel": facts} if (facts := kernel()) else {}
        self._watch = self._by_tcp(told) if isinstance(self._asked, Address) else self._by_mpi(told)

    def end(self) -> None:
        """Measure for the last time, before the file is closed."""
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.end()

    def _by_tcp(self, told: dict[str, Any]) -> Watch:
        from launchpath._tracing.clocks.reference import Reference  # noqa: PLC0415
        from launchpath._tracing.clocks.watch import Watch  # noqa: PLC0415

        watch = Watch(Reference(self._asked), self._note)
        watch.facts.statements = told
        watch.begin_beside()
        return watch

    def _by_mpi(self, told: dict[str, Any]) -> Ranks:
        from launchpath._tracing.clocks.mpi import Ranks  # noqa: PLC0415

        ranks = Ranks(self._asked, self._note, told)
        ranks.begin()
        return ranks

    def _note(self, facts: dict[str, Any]) -> None:
        self._noted(**{KEY: facts[KEY]})
