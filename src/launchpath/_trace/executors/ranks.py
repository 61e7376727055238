"""The ranks of an MPI program as an executor: ``mpirun -n 4 launchpath report FILES``."""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from launchpath._trace.executors.batches import cut
from launchpath._trace.executors.inputs import Input
from launchpath._trace.executors.outcome import Outcome
from launchpath._trace.executors.part import Part, Progress
from launchpath.errors import LibraryError

# Where mpirun, mpiexec and srun say how many ranks there are: Open MPI, MPICH and Intel MPI, MVAPICH, Slurm.
_SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS")
_FORWARDED = 0.2  # seconds: when ranks abort, mpiexec ends at once, and what it has not read by then is lost
_EXTRA = "Install it: pip install 'launchpath[mpi]', or build it for this MPI"


def started_ranks(environment: Mapping[str, str] = os.environ) -> int:
    """Give the number of ranks that this process was started with; 1 without MPI."""
    sizes = [environment[name] for name in _SIZES if name in environment]
    return next((int(size) for size in sizes if size.isdecimal() and int(size)), 1)


class Ranks:
    """Reads files in all ranks. Rank 0 calls `run`, within `leading`; the others `follow`.

    Raises
    ------
    LibraryError
        There is no mpi4py, or it is of another MPI than the one that has started the ranks.
    """

    def __init__(self) -> None:
        ranks = started_ranks()
        try:
            from mpi4py import MPI  # noqa: PLC0415 (optional)
        except (ImportError, RuntimeError) as error:  # RuntimeError: there is no MPI library
            raise LibraryError(f"expected the package mpi4py in {ranks} ranks, got: {error}. {_EXTRA}") from None
        self._ranks: Any = MPI.COMM_WORLD
        if self._ranks.size != ranks:
            raise LibraryError(
                f"expected {ranks} ranks, as the environment says, got {self._ranks.size}: mpi4py is of another MPI "
                f"than mpirun. {_EXTRA}"
            )
        self._asked = False

    @property
    def follows(self) -> bool:
        """Whether this is another rank than 0."""
        return bool(self._ranks.rank)

    @contextmanager
    def leading(self) -> Iterator[None]:
        """Let the other ranks go, if no files are read within it."""
        try:
            yield
        finally:
            if not self._asked:
                self._ranks.bcast(None)

    def follow(self) -> None:
        """Read what rank 0 gives out, if it does."""
        inputs = self._ranks.bcast(None)
        if inputs is not None:
            self._together(inputs, lambda done, total: None)

    def run(self, inputs: Sequence[Input], progress: Progress) -> Outcome:
        """Read files."""
        self._asked = True
        self._ranks.bcast(list(inputs))
        outcome = Outcome(files=len(inputs))
        outcome.add(self._together(inputs, progress))
        return outcome.ordered()

    def _together(self, inputs: Sequence[Input], progress: Progress) -> Part:
        """Read this rank's share, and reduce in a tree: rank 0 has all of it."""
        ranks = self._ranks
        try:
            shares = cut(inputs, ranks.size)[ranks.rank :: ranks.size]
            part, done, count = Part(), 0, sum(map(len, shares))

            def step() -> None:
                nonlocal done
                done += 1
                progress(done, count)

            for batch in shares:
                part.merge(Part.of(batch, os.getcwd(), step))
            distance = 1
            while distance < ranks.size:
                if ranks.rank & distance:
                    ranks.send(part.pack(), dest=ranks.rank - distance)
                    break
                if ranks.rank + distance < ranks.size:
                    part.merge(Part.unpack(ranks.recv(source=ranks.rank + distance)))
                distance *= 2
            return part
        except BaseException:
            # The others would wait for this rank for ever.
            sys.stderr.write(traceback.format_exc())
            sys.stderr.flush()
            time.sleep(_FORWARDED)
            ranks.Abort(1)
            raise
