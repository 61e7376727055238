"""Peers: other libraries that do the same work.

They are in the folder `benchmarks/peers` of the repository, not in the package.
"""

from __future__ import annotations

import importlib
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from launchpath._bench.kernels import ARGUMENTS, Kernels
from launchpath._bench.measure import VALUES, Loop, held

PEERS = "benchmarks.peers"
NOT_HERE = ("other libraries", "they need a clone of the repository: run `python -m launchpath bench` in it")


def peers() -> Any:
    """Return the module `benchmarks.peers`; None outside of a clone of the repository."""
    root = Path(__file__).parents[3]
    if (root / "benchmarks" / "peers").is_dir() and str(root) not in sys.path:
        sys.path.append(str(root))
    try:
        return importlib.import_module(PEERS)
    except ModuleNotFoundError as error:
        if error.name not in (PEERS, PEERS.partition(".")[0]):
            raise
        return None


class Missing(Exception):
    """The peer cannot be measured here; the message says why."""


@contextmanager
def needed(package: str) -> Iterator[None]:
    """Turn every error inside into `Missing`: the peer is left out of the results, with this reason.

    Parameters
    ----------
    package : str
        What to install if an import fails.
    """
    try:
        yield
    except Missing:
        raise
    except ImportError as error:
        raise Missing(f"not installed ({error}): `pip install {package}`") from None
    except Exception as error:
        raise Missing(f"{type(error).__name__}: {error}") from error


class Peer(ABC):
    """Another library's launch, on launchpath's arrays and legacy default stream, in its context.

    Whatever `__init__` and the first launches raise leaves the peer out of the results.

    Attributes
    ----------
    subject : str
        What results call it.
    drivers : sequence of str
        Those whose devices it knows.
    package : str
        What to install.
    arguments : sequence of int
        How many its launches take.
    version : str
    """

    subject: ClassVar[str]
    package: ClassVar[str]
    drivers: ClassVar[Sequence[str]] = ("cuda",)
    arguments: ClassVar[Sequence[int]] = ARGUMENTS
    version = ""

    @abstractmethod
    def __init__(self, kernels: Kernels) -> None: ...

    @abstractmethod
    def loop(self, arguments: int) -> Loop:
        """Give the loop of launches with so many arguments, which takes values as `convert` makes them."""

    def convert(self, value: int) -> Any:
        """Give an int as the library wants it; not on the clock."""
        return value


class Working:
    """A peer that has launched every one of its loops, and whose launches did what they should.

    That is also what compiles and loads its kernels: neither could be done while the stream is held.

    Raises
    ------
    Missing
        It is not installed, or does not work with this device.
    """

    def __init__(self, kind: type[Peer], kernels: Kernels, launches: int) -> None:
        driver = kernels.device.info["driver"]
        if driver not in kind.drivers:
            raise Missing(f"it does not support {driver} devices")
        with needed(kind.package):
            self.peer = kind(kernels)
            self.values = [self.peer.convert(value) for value in VALUES[:launches]]
            self.loops = {count: self.peer.loop(count) for count in kind.arguments}
            for count, loop in self.loops.items():
                loop(self.values)
                _check(kernels, count, loop, self.peer.convert(-1))
        self.stream = kernels.stream

    def held(self, arguments: int) -> float:
        """Run a loop while the stream is held back; microseconds a launch."""
        return held(self.stream, self.loops[arguments], len(self.values), self.values)


def _check(kernels: Kernels, arguments: int, loop: Loop, negative: Any) -> None:
    """See that a launch with a negative first int writes, which it does to the last pointer."""
    kernels.device.synchronize()
    for array in kernels.arrays:
        array.fill(0.0)
    kernels.device.synchronize()
    loop([negative])
    kernels.device.synchronize()
    if arguments and not kernels.arrays[arguments // 2 - 1].to_numpy().any():
        raise Missing(f"its launch with {arguments} arguments did nothing")
