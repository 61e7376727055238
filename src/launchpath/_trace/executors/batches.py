"""Batches: files that a process reads at a time, and what becomes of them when it is lost."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from launchpath._trace.executors.inputs import Input, LeftOut
from launchpath._trace.executors.outcome import Outcome

_LEAST, _MOST = 0.05, 2.0  # seconds that a batch takes
_EACH = 8  # batches for each worker: their lengths differ


@dataclass(frozen=True)
class Batch:
    """Files that are read together, and how often a process that read them was lost."""

    inputs: tuple[Input, ...]
    losses: int = 0


class Batches:
    """The batches that are still to be read.

    A batch whose process was lost is read again. If that one is lost too, the batch is halved, until a file that ends
    two processes is alone: it is left out.

    Parameters
    ----------
    inputs : sequence of Input
    workers : int
        How many processes read.
    outcome : Outcome
        What is told of losses.
    """

    def __init__(self, inputs: Sequence[Input], workers: int, outcome: Outcome) -> None:
        self.outcome = outcome
        self.left = deque(Batch(inputs) for inputs in cut(inputs, workers))

    def take(self) -> Batch | None:
        """Give a batch to read, if there is one."""
        return self.left.popleft() if self.left else None

    def lost(self, batch: Batch, reason: str, losses: int = 1) -> None:
        """Tell that the process that read a batch was lost.

        Parameters
        ----------
        batch : Batch
        reason : str
            What it did, as "was killed by SIGKILL".
        losses : int
            How many processes that were.
        """
        count, losses = len(batch.inputs), batch.losses + losses
        if losses < 2:
            self.left.appendleft(Batch(batch.inputs, losses))
        elif count > 1:
            for half in (batch.inputs[: count // 2], batch.inputs[count // 2 :]):
                self.left.appendleft(Batch(half, 1))
        else:
            self.outcome.left_out.append(LeftOut(batch.inputs[0].path, f"each process that read it {reason}"))
            return
        files = "a file" if count == 1 else f"{count} files"
        self.outcome.losses.append(
            f"a process that read {files} {reason}: {'it is' if count == 1 else 'they are'} read again"
        )


def cut(inputs: Sequence[Input], workers: int) -> list[tuple[Input, ...]]:
    """Cut files into batches, the largest files first."""
    share = sum(each.seconds for each in inputs) / (workers * _EACH)
    most = min(max(share, _LEAST), _MOST)
    result: list[tuple[Input, ...]] = []
    batch: list[Input] = []
    seconds = 0.0
    for each in sorted(inputs, key=lambda each: -each.size):
        if batch and seconds + each.seconds > most:
            result.append(tuple(batch))
            batch, seconds = [], 0.0
        batch.append(each)
        seconds += each.seconds
    return result + [tuple(batch)] * bool(batch)
