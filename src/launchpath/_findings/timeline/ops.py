"""The columns of a timeline: calls of host threads, and what devices did for them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Self

import numpy
from numpy.typing import NDArray

Array = NDArray[Any]


class Columns:
    """Arrays of one length: a row for each record. Subclasses are dataclasses of arrays."""

    def take(self, rows: Array) -> Self:
        """Give some of the rows: by their places, or where a mask is true."""
        return type(self)(**{each.name: getattr(self, each.name)[rows] for each in fields(self)})  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(getattr(self, fields(self)[0].name))  # type: ignore[arg-type]


@dataclass
class Ops(Columns):
    """Calls on host threads, in the order of (thread, begin). Times are nanoseconds of the monotonic clock.

    Attributes
    ----------
    begin, end : numpy.ndarray of int64
        Of the whole call: of launchpath's function where that calls the driver.
    driver : numpy.ndarray of int64
        Nanoseconds in the driver, of commands.
    waited : numpy.ndarray of int64
        Nanoseconds of the call that the thread waited for a lock, the GIL or room; launchpath's own records alone.
    thread : numpy.ndarray of int32
        A place in `Timeline.threads`.
    role, scope : numpy.ndarray of uint8
        `Role` and `Scope`.
    name : numpy.ndarray of int32
        A place in `Timeline.names`: the kernel of a launch, the function of another call.
    function : numpy.ndarray of int32
        A place in `Timeline.names`: the function that was called.
    stream : numpy.ndarray of uint32
        The stream's number in the file; 0: none.
    device : numpy.ndarray of uint16
    size : numpy.ndarray of int64
        Bytes of a copy, a fill or an allocation; threads of a launch in all.
    blocks : numpy.ndarray of int64
        Blocks of a launch.
    direction : numpy.ndarray of uint8
        Of a copy: 0 not known, 1 host to device, 2 device to host, 3 device to device.
    to, source : numpy.ndarray of uint64
        Addresses of a copy.
    depth : numpy.ndarray of uint8
        How many calls of the same thread it is inside of.
    correlation : numpy.ndarray of uint64
    step : numpy.ndarray of uint32
        The step or graph that it belongs to; 0: none.
    failed : numpy.ndarray of bool
    work : numpy.ndarray of int32
        The first row of its work in `Works`, -1: none is known. `works` rows follow one another.
    works : numpy.ndarray of int32
    site : numpy.ndarray of uint32
        The number of the source line; 0: not known.
    flags : numpy.ndarray of uint8
        Of the evidence: `format.BLOCKING`, `format.PINNED`, ...; 0 where there is none.
    content, arguments : numpy.ndarray of uint64
        Hashes, see `format.EVIDENCE_SLOT`. `arguments` of a copy: nanoseconds that the trace took to read its bytes.
    event, wait, wait_too : numpy.ndarray of uint64
        Events that it makes and waits for; 0: none.
    """

    begin: Array
    end: Array
    driver: Array
    waited: Array
    thread: Array
    role: Array
    scope: Array
    name: Array
    function: Array
    stream: Array
    device: Array
    size: Array
    blocks: Array
    direction: Array
    to: Array
    source: Array
    depth: Array
    correlation: Array
    step: Array
    failed: Array
    work: Array
    works: Array
    site: Array
    flags: Array
    content: Array
    arguments: Array
    event: Array
    wait: Array
    wait_too: Array


@dataclass
class Works(Columns):
    """Commands that a device has run, whose times are known: rows of one op follow one another.

    Attributes
    ----------
    begin, end : numpy.ndarray of int64
        On the device; nanoseconds of the monotonic clock.
    enqueued : numpy.ndarray of int64
        When the driver was called.
    op : numpy.ndarray of int32
        Its row in `Ops`.
    role : numpy.ndarray of uint8
        `Role.LAUNCH`, `Role.COPY` or `Role.FILL`.
    name : numpy.ndarray of int32
    stream : numpy.ndarray of uint32
    device : numpy.ndarray of uint16
    node : numpy.ndarray of uint32
        Its place in a step or graph.
    """

    begin: Array
    end: Array
    enqueued: Array
    op: Array
    role: Array
    name: Array
    stream: Array
    device: Array
    node: Array


@dataclass
class Ranges(Columns):
    """Ranges that have ended, in the order of their begins.

    Attributes
    ----------
    begin, end : numpy.ndarray of int64
    thread : numpy.ndarray of int32
    name : numpy.ndarray of int32
    depth : numpy.ndarray of uint16
    """

    begin: Array
    end: Array
    thread: Array
    name: Array
    depth: Array


@dataclass
class Looks(Columns):
    """Looks at threads, see `format.THREAD_SLOT`: what each did since the last look, times in nanoseconds.

    Each took `spent`, from its `end` on.
    """

    begin: Array
    end: Array
    thread: Array
    processor: Array
    runnable: Array
    process: Array
    switches: Array
    faults: Array
    spent: Array


def empty(kind: type[Any], types: dict[str, str]) -> Any:
    """Make columns without rows; those that `types` does not name are of int64."""
    return kind(**{each.name: numpy.zeros(0, types.get(each.name, "i8")) for each in fields(kind)})
