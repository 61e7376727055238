"""How traces begin: by `launchpath.trace`, and by the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from launchpath._tracing.session import Trace


def trace(path: str | os.PathLike[str] | None = None, **options: Any) -> Trace:
    """Record a program's launches and calls, and the times of its commands on the device, in a file.

    Parameters
    ----------
    path : str or path, optional
        The file, best with the ending ``.lptrace``. ``%pid%``, ``%rank%``, ``%hostname%`` and ``%env{NAME}%`` in it are
        replaced. By default a temporary file.
    mode : str
        ``"device"`` (the default): with the device's times of each command. ``"host"``: without them, which costs less.
        ``"serialized"``: with them, and one kernel at a time: a launch begins when the one before is complete.
    device : Device, int, str, or an iterable of them, optional
        Devices to record. By default all, those too that are opened later.
    include, exclude : str, or an iterable of them
        Regular expressions, searched in kernels' names. Only launches of kernels that one of `include` fits, and none
        of `exclude`, are recorded; the others are counted.
    period : str, optional
        ``"delay:duration"`` or ``"delay:duration:repeat"``, in seconds: when to record. The third is how many times;
        0: until the end. With ``@`` before it, ``"@8:2:0"``, all processes record the same seconds: those from each
        multiple of delay + duration since 1970 by their hosts' clocks.
    when_full : str
        What a thread does whose ring has no room: ``"wait"`` (the default), or ``"drop"`` records and count them.
    timing_objects : int
        Commands in flight with times, at most. A launch waits for a free one; where it cannot, it has no times, and is
        counted.
    ring : int
        Slots of 64 bytes in a thread's ring: a power of 2 from 64 to 16384.
    cupti : bool
        Whether NVIDIA's profiling library, CUPTI, may tell the times of launches on CUDA devices, if it is installed
        and no other profiler has it. That costs a launch less than two CUDA events, which tell them otherwise. Not for
        programs in which several threads submit work at the same time, which CUPTI can crash, nor for those in which
        other code lets a stream wait for the host, or runs graphs: see docs/tracing.md.
    findings : bool
        Whether what findings are read from is recorded too: hashes of what copies move and of arguments, events, looks
        at threads. A launch then costs more: docs/tracing.md has by how much.
    sites : bool
        Whether that has the source lines of calls, which is most of what it costs.
    clock : str or mpi4py.MPI.Intracomm, optional
        What the clock of this host is measured against, so that times of several hosts can be compared:
        ``"HOST:PORT"``, where `launchpath clock serve` or `launchpath trace --clock` answers; or a communicator, whose
        ranks all begin and end a trace, and whose rank 0 answers. ``LAUNCHPATH_TRACE_CLOCK`` is the default.
    keep : str
        ``"records"`` (the default). ``"summary"``: what they sum up to, in kilobytes: the file is a condensed trace,
        best with the ending ``.lpsum``. ``"both"``. ``"slow"``: the summary, and the records around steps that took
        long, where a step is a range that is in no other, or the time between two waits if there are no ranges.
    slow, window : float, optional
        Of ``keep="slow"``: seconds from which on a step takes long, and how many seconds of records before its end and
        behind it are kept, 1 by default.

    Returns
    -------
    Trace
        ``with`` begins and ends it.

    Raises
    ------
    ArgumentValueError
        An argument has no such value.

    Examples
    --------
    >>> with launchpath.trace("run.lptrace") as trace:
    ...     simulate()
    >>> print(trace.summary())
    """
    return Trace(path, **options)


def trace_by_environment(path: str, options: Mapping[str, Any], since: int) -> None:
    """Begin the trace that the environment asks for. It ends when the program begins one itself.

    Files of the same name that were written after `since` (nanoseconds since 1970) are those of the program's other
    processes: they are not written over.
    """
    process_trace = Trace(path, **options)
    process_trace._gives_way, process_trace._kept_since = True, since
    process_trace.start()
