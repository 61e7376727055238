"""The executor that is asked for by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from launchpath._trace.executors.inputs import Input
from launchpath._trace.executors.outcome import Outcome
from launchpath._trace.executors.part import Progress
from launchpath._trace.executors.processes import Processes
from launchpath._trace.executors.ranks import Ranks, started_ranks

NAMES = "processes, dask=ADDRESS or mpi"
_DASK = "dask="


class Executor(Protocol):
    """Reads files, in whatever processes."""

    def run(self, inputs: Sequence[Input], progress: Progress) -> Outcome:
        """Read files."""


def executor(name: str | None) -> Executor:
    """Give an executor.

    Parameters
    ----------
    name : str or None
        ``processes``, ``dask=ADDRESS`` or ``mpi``. None: ``mpi`` in a process that mpirun has started with others, else
        ``processes``.

    Raises
    ------
    ValueError
        There is none of this name.
    LibraryError
        A package is missing that it needs.
    """
    if name is None:
        name = "mpi" if started_ranks() > 1 else "processes"
    if name == "processes":
        return Processes()
    if name == "mpi":
        return Ranks()
    if name.startswith(_DASK) and len(name) > len(_DASK):
        from launchpath._trace.executors.cluster import Cluster  # noqa: PLC0415 (few need it)

        return Cluster(name.removeprefix(_DASK))
    raise ValueError(f"expected {NAMES}, got {name!r}")
