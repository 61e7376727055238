"""Edits: mends, as what they change of the recorded calls. Rows are those of ``Timeline.ops``, of all repetitions."""

from __future__ import annotations

from dataclasses import dataclass

from launchpath._findings.timeline.ops import Array


@dataclass(frozen=True)
class Edit:
    """A mend of some calls."""

    rows: Array


@dataclass(frozen=True)
class Remove(Edit):
    """The calls are not made: neither their time on the host nor their works are there."""


@dataclass(frozen=True)
class Return(Edit):
    """Synchronizations return at once: their own time stays, and nothing is waited for."""


@dataclass(frozen=True)
class Narrow(Edit):
    """Synchronizations wait for one stream alone, and only for what was submitted before `upto`.

    Attributes
    ----------
    stream : int
    upto : numpy.ndarray of int64
        For each row, the row of the last call whose work is waited for; -1: all of the stream.
    """

    stream: int
    upto: Array


@dataclass(frozen=True)
class Asynchronous(Edit):
    """Calls that wait for their command return after `host` nanoseconds, and the command runs by itself."""

    host: float


@dataclass(frozen=True)
class Faster(Edit):
    """The calls take other times.

    Attributes
    ----------
    host : float, or numpy.ndarray of float64
        Factor of the time of the call; an array has one for each row.
    work : float
        Factor of the time of its works.
    """

    host: float | Array = 1.0
    work: float = 1.0


@dataclass(frozen=True)
class Before(Edit):
    """The host code before the calls, since the thread's call before it, takes `factor` of its time.

    Attributes
    ----------
    factor : float, or numpy.ndarray of float64
        An array has one for each row.
    """

    factor: float | Array = 0.0


@dataclass(frozen=True)
class Move(Edit):
    """The works of the calls go to another stream, a new one, ordered behind what they depend on.

    Attributes
    ----------
    stream : int
        Its number, which no recorded stream has.
    after : numpy.ndarray of int64
        For each row, the row of the call whose work has to be complete before; -1: none.
    """

    stream: int
    after: Array


@dataclass(frozen=True)
class Merge(Edit):
    """Calls become fewer: of each group of calls the first stays, and its work takes `work` nanoseconds.

    Attributes
    ----------
    group : numpy.ndarray of int64
        For each row the number of its group.
    work : float
        Nanoseconds of the command that is left, of each group; negative: as long as all together without the fixed part
        of each.
    """

    group: Array
    work: float = -1.0


@dataclass(frozen=True)
class AsStep(Edit):
    """Calls go into a step of launchpath: each is compared, and all are submitted behind the last of a repetition."""


@dataclass(frozen=True)
class Together(Edit):
    """Several edits at once; its own rows are not used."""

    edits: tuple[Edit, ...] = ()
