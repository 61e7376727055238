"""A cluster of Dask's as an executor."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from launchpath._trace.executors.batches import Batch, Batches
from launchpath._trace.executors.inputs import Input
from launchpath._trace.executors.outcome import Outcome
from launchpath._trace.executors.part import Part, Progress, packed_part, plain
from launchpath.errors import LibraryError, TraceFileError

if TYPE_CHECKING:
    from collections.abc import Iterator

_CONNECTS = 30  # seconds
_WITHOUT_WORKERS = 30.0  # seconds until a cluster without a worker is given up
_LOOKS = 1.0  # seconds between looks at the workers
_EXTRA = "Install it: pip install 'launchpath[dask]'"


class Cluster:
    """Reads files on the workers of a cluster, which find them by the same names.

    Parameters
    ----------
    address : str
        Of the scheduler (``tcp://host:8786``), or the file that it has written (``scheduler.json``).

    Raises
    ------
    LibraryError
        Dask is not installed.
    """

    def __init__(self, address: str) -> None:
        try:
            import distributed  # noqa: PLC0415 (optional)
        except ImportError as error:
            raise LibraryError(f"expected the packages dask and distributed, got: {error}. {_EXTRA}") from None
        self.dask: Any = distributed
        self.address = address

    def run(self, inputs: Sequence[Input], progress: Progress) -> Outcome:
        """Read files.

        Raises
        ------
        TraceFileError
            There is no such cluster, it has no workers, or they have no launchpath.
        """
        outcome = Outcome(files=len(inputs))
        with self._client() as client:
            workers = _threads(client)
            self._wait_for(client, time.monotonic() if not workers else None)
            self._read(client, Batches(inputs, max(_threads(client), 1), outcome), outcome, progress)
        return outcome.ordered()

    @contextmanager
    def _client(self) -> Iterator[Any]:
        is_file = self.address.endswith(".json")
        if is_file and not os.path.isfile(self.address):  # Dask would wait for it
            raise TraceFileError(
                f"expected a file that a scheduler of Dask has written, got {self.address}: there is none"
            )
        named = {"scheduler_file": self.address} if is_file else {"address": self.address}
        try:
            client = self.dask.Client(**named, timeout=_CONNECTS, set_as_default=False)
        except (OSError, ValueError, TypeError, RuntimeError) as error:  # TimeoutError is an OSError
            reason = f"{type(error).__name__}: {error}"
            raise TraceFileError(f"expected a scheduler of Dask at {self.address}, got {reason}") from None
        try:
            with client.as_current():
                yield client
        finally:
            client.close()

    def _read(self, client: Any, batches: Batches, outcome: Outcome, progress: Progress) -> None:
        running: dict[Any, Batch] = {}
        done, alone = 0, None
        while batches.left or running:
            while (batch := batches.take()) is not None:
                # Not pure: the files may be others than at the last report.
                future = client.submit(packed_part, plain(batch.inputs), os.getcwd(), pure=False)
                running[future] = batch
            alone = self._wait_for(client, alone)
            for future in self._ended(list(running)):
                batch = running.pop(future)
                error = future.exception()
                if error is None:
                    try:
                        answer = future.result()
                    except Exception as lost:  # with the worker that had it, between these two lines
                        batches.lost(batch, f"was lost ({type(lost).__name__})")
                        continue
                    outcome.add(Part.unpack(answer))
                    done += len(batch.inputs)
                    progress(done, outcome.files)
                elif isinstance(error, (self.dask.scheduler.KilledWorker, self.dask.client.FutureCancelledError)):
                    batches.lost(batch, f"was lost ({type(error).__name__})", losses=2)
                else:
                    raise TraceFileError(
                        f"expected workers of Dask that read traces, got {type(error).__name__}: {error}: "
                        "each needs this version of launchpath"
                    )

    def _ended(self, futures: list[Any]) -> list[Any]:
        try:
            return list(self.dask.wait(futures, timeout=_LOOKS, return_when="FIRST_COMPLETED").done)
        except (TimeoutError, self.dask.TimeoutError):
            return []

    def _wait_for(self, client: Any, alone: float | None) -> float | None:
        """Give since when the cluster has no workers."""
        if _threads(client):
            return None
        now = time.monotonic()
        if alone is not None and now - alone > _WITHOUT_WORKERS:
            raise TraceFileError(f"expected workers of Dask at {self.address}, got none for {_WITHOUT_WORKERS:.0f} s")
        return now if alone is None else alone


def _threads(client: Any) -> int:
    """Count the threads of all workers."""
    return sum(client.nthreads().values())
