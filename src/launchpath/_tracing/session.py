"""Traces: records of a program's launches and calls, in a file."""

from __future__ import annotations

import atexit
import errno
import json
import os
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from launchpath import _core
from launchpath._drivers import call_names
from launchpath._listed import Listed
from launchpath._streams.device import Device, configure, watch_devices
from launchpath._trace.format import COUNTERS, META, NAMES
from launchpath._tracing.clocks.inside import ClockInside
from launchpath._tracing.facts import (
    delays_facts,
    delays_seen,
    findings_facts,
    process_facts,
    processors_share_clock,
)
from launchpath._tracing.options import Options, check_names
from launchpath._tracing.readable import ReadableTrace
from launchpath._tracing.recording import Recording
from launchpath._tracing.saved import SavedTrace, read_trace
from launchpath._tracing.sources import TimeSources
from launchpath._tracing.target import open_target
from launchpath.errors import LaunchpathError

PATIENCE = 10.0  # seconds without a complete command after which the end of a trace stops waiting
EXIT_PATIENCE = 5.0  # the same when the interpreter exits
HELD_PATIENCE = 1.0  # the most while a stream waits for the host, which may be the thread that ends the trace

_current: Trace | None = None
_facts_at_end: list[Callable[[], dict[str, Any]]] = []
_lock = threading.RLock()  # of all traces: only one goes on. A fork renews it, for a thread of the parent may hold it


class Trace(Listed, ReadableTrace):
    """A trace of this process: a record of each launch, copy, wait and call of the driver, in a file.

    ``with launchpath.trace(...)`` begins and ends it; so do `start` and `stop`. It can begin and end while streams
    exist and work is in flight. Without a trace, launches call the driver's own functions: nothing is left in the way.

    When it has ended, it has the methods of a `SavedTrace`: `summary`, `findings`, `write_perfetto` and others. While
    it goes on they are about what has been recorded until now.

    Attributes
    ----------
    path : str
        The file. It can be read while the program runs.
    mode : str
        ``"device"``, ``"host"`` or ``"serialized"``.
    """

    path: str
    mode: str

    def __init__(self, path: str | os.PathLike[str] | None = None, **options: Any) -> None:
        check_names(options)
        self._options = Options.checked(path, **options)
        vars(self).update(mode=self._options.mode, path=self._options.file or "")
        self._file = -1
        self._recording = Recording(TimeSources(self.mode == "device", self._options.cupti), self._meta)
        self._clock = ClockInside(self._options.clock, self._meta)
        self._was_begun = False
        self._counts: dict[str, int] | None = None  # None until it has ended
        self._failure = 0  # the error number of what could not be written
        self._uploads = (0, 0)  # uploads of argument blocks before it began, and those that were left out
        self._last_counts = (0, 0, 0)  # of `_write_end`, for the header of the file
        # Of a trace that the environment asks for, see `trace_by_environment`.
        self._gives_way = False
        self._kept_since = 0

    # Begin and end.

    def start(self) -> Trace:
        """Begin to record.

        Returns
        -------
        Trace
            Itself.

        Raises
        ------
        LaunchpathError
            Another trace is going on in this process, or this one has begun before: a trace is for one file.
        OSError
            The file cannot be written.
        """
        global _current  # noqa: PLW0603 (the process's one trace)
        configure()
        os.environ.setdefault("NVTX_INJECTION64_PATH", _core.__file__)  # it is read at the first call of NVTX
        other = _current
        if other is not None and other._gives_way:
            other._give_way()
        with _lock:
            if _current is not None:
                raise LaunchpathError(f"a trace to {_current.path!r} is going on in this process: end it first")
            if self._was_begun:
                raise LaunchpathError(f"the trace to {self.path!r} has ended: make another one")
            self._file, vars(self)["path"] = open_target(self._options.file, self._kept_since)
            _current = self
            try:
                self._begin()
            except BaseException:  # an interrupt too
                self._end()
                self._counts = None
                raise
            self._was_begun = True
        return self

    def _begin(self) -> None:
        _core.trace_begin(
            self._file,
            self._options.ring,
            self._options.timing_objects,
            self.mode != "host",
            self.mode == "serialized",
            self._options.drops,
            processors_share_clock(),
            self._options.findings_asked,
            *self._options.keep.for_core(),
        )
        atexit.register(self._stop_at_exit)  # after that of the core was registered, so it runs before
        self._write_begin()
        self._clock.begin()
        watch_devices(self._device_opened)
        for device in _core.devices_open():
            self._device_opened(device)
        if self._options.period is not None:
            self._options.period.start(self._switch_in_period)
        else:
            self._recording.switch(True)

    def stop(self, patience: float = PATIENCE) -> None:
        """End the trace: wait until what is in flight is complete, and write the rest of the file.

        Parameters
        ----------
        patience : float
            Seconds without a complete command after which it stops waiting. What is not complete then has no times; the
            trace counts it as ``unfinished``.

        Raises
        ------
        OSError
            The file could not be written to its end; what is in it can be read.
        """
        if _current is not self:
            return
        if self._options.period is not None:
            self._options.period.stop()  # without the lock: the period's thread may wait for it
        with _lock:
            if _current is not self:
                return
            try:
                self._recording.switch(False)
                self._wait(patience)
            finally:
                self._end()
        atexit.unregister(self._stop_at_exit)
        if code := self._failure:
            raise OSError(code, f"{os.strerror(code)}: the trace was not written to its end", self.path)
        if not self._gives_way:  # `launchpath trace` notes more in the file, and does it then
            self._options.keep.end(self.path)

    def pause(self) -> None:
        """Record nothing until `resume`. What is in flight still gets its times."""
        with _lock:
            self._need()
            self._recording.switch(False)

    def resume(self) -> None:
        """Record again."""
        with _lock:
            self._need()
            self._recording.switch(True)

    def flush(self) -> None:
        """Write everything that has been recorded until now; it waits for no command."""
        with _lock:
            self._need()
            _core.trace_flush()

    def __enter__(self) -> Trace:
        return self.start()

    def __exit__(self, *_exception: object) -> None:
        self.stop()

    # What it has.

    @property
    def counts(self) -> dict[str, int]:
        """Count what was recorded, and what was not.

        Returns
        -------
        dict of str to int
            ``slots`` written (of 64 bytes; a launch takes two, and one more for its times); ``dropped``; ``untimed``
            commands, ``unfinished`` ones, ``failed_times``; ``excluded`` launches; ``overlapped`` ones, which ran
            beside another in spite of the mode ``"serialized"``; ``timing_created`` and ``timing_most``, timing objects
            that were created, and that were in use at most; ``waits`` for room in a ring and ``timing_waits`` for a
            timing object; ``batches``, waits for the completion of commands; and others, see docs/tracing.md.
        """
        if self._counts is not None:
            return dict(self._counts)
        self._need()
        counters = _core.trace_counters()
        return dict(zip(COUNTERS, counters[0], strict=True)) if counters else {}

    def saved(self) -> SavedTrace:
        """Give the file as `read_trace` does: it can be read when the trace is gone."""
        return read_trace(self.path)

    def _files(self) -> list[str]:
        if self._counts is None:
            self.flush()  # of a trace that was not begun, it raises
        return [self.path]

    def __repr__(self) -> str:
        state = "going on" if _current is self else "ended" if self._was_begun else "not begun"
        return f"<Trace {self.path!r} ({self.mode}, {state})>"

    # The parts of it.

    def _need(self) -> None:
        if _current is not self:
            raise LaunchpathError(f"the trace to {self.path!r} is not going on: start() begins one")

    def _stop_at_exit(self) -> None:
        self.stop(EXIT_PATIENCE)

    def _give_way(self) -> None:
        """End for a trace of the program's own, which is not to fail for what is wrong with this one."""
        try:
            self.stop()
        except OSError as error:
            print(f"launchpath: {error}", file=sys.stderr)

    def _write_begin(self) -> None:
        entries, api = _core.trace_entry_names()
        self._meta(
            process=process_facts(),
            begin={"monotonic": time.monotonic_ns(), "real": time.time_ns()},
            mode=self.mode,
            entries=entries,
            api=api,
            library_names=call_names(),
            options=self._options.facts(),
            **findings_facts(self._options.findings),
            **delays_facts(),
        )
        _core.trace_names_to(self._named)
        for number, name in _core.kernel_names().items():
            self._named(number, name)
        uploads = _core.argument_counts()
        self._uploads = uploads["uploads"], uploads["skipped"]

    def _meta(self, **facts: Any) -> None:
        text = json.dumps(facts).encode()
        _core.trace_block(META, text, len(text))  # a count of bytes

    def _named(self, number: int, name: str) -> None:
        """Write a name's number, before any record has it; and whether its launches are recorded."""
        text = name.encode("utf-8", "backslashreplace")
        content = struct.pack("<II", number, len(text)) + text + bytes(-len(text) % 8)
        _core.trace_block(NAMES, content, 1)  # a count of names
        _core.trace_exclude(number, not self._options.patterns.takes(name))

    def _device_opened(self, device: Device) -> None:
        devices = self._options.devices
        if _current is not self or (devices is not None and device not in devices):
            return
        with _lock:
            self._recording.add(device)

    def _switch_in_period(self, on: bool, end: threading.Event) -> None:
        with _lock:
            if _current is self and not end.is_set():
                self._recording.switch(on)

    def _wait(self, patience: float) -> None:
        """Wait for the times of what is in flight, as long as commands complete."""
        _, completed, held, used = _core.trace_outstanding()
        since = time.monotonic()
        while used and time.monotonic() - since < (min(patience, HELD_PATIENCE) if held else patience):
            _core.trace_wait(500)
            _, now, held, used = _core.trace_outstanding()
            if now != completed:
                completed, since = now, time.monotonic()

    def _end(self) -> None:
        """Do all that belongs to the end, whatever one part of it or an interrupt raises: another trace can begin."""
        with ExitStack() as rest:  # from the last line to the first
            rest.callback(self._close)
            rest.callback(self._write_end)
            rest.callback(watch_devices, None)
            rest.callback(_core.trace_names_to, None)
            rest.callback(self._recording.abort)
            rest.callback(self._clock.end)

    def _write_end(self) -> None:
        uploads = _core.argument_counts()
        waits_left_out = self._recording.end()  # forgets the devices, which `abort` needs
        before, left_out_before = self._uploads
        self._last_counts = uploads["uploads"] - before, uploads["skipped"] - left_out_before, waits_left_out
        threads = {str(thread.native_id): thread.name for thread in threading.enumerate() if thread.native_id}
        facts = {name: fact for function in _facts_at_end for name, fact in function().items()}
        self._meta(threads=threads, **facts, **delays_seen())

    def _close(self) -> None:
        global _current
        counters, self._failure = _core.trace_close(*self._last_counts)
        self._counts = dict(zip(COUNTERS, counters, strict=True))
        file, self._file, _current = self._file, -1, None  # in one: an interrupt leaves no number to be closed twice
        try:
            os.close(file)
        except OSError as error:  # some file systems write only now
            self._failure = self._failure or error.errno or errno.EIO


def add_at_end(facts: Callable[[], dict[str, Any]]) -> None:
    """Name a function whose facts stand in the file of each trace of the process, as they are when it ends."""
    _facts_at_end.append(facts)


def stop_at_exit() -> None:
    """End the trace that goes on, as the process ends: what is in flight is not waited for so long."""
    if _current is not None:
        _current._stop_at_exit()


def current_trace() -> Trace | None:
    """Return the trace that is going on in this process, or None."""
    return _current


def _forget_in_child() -> None:
    """In a forked child: the trace is its parent's."""
    global _current, _lock  # noqa: PLW0603
    _lock = threading.RLock()
    if _current is not None and _current._file >= 0:
        os.close(_current._file)  # else the child would keep the parent's flock when the parent has ended
        _current._file = -1
    _current = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_in_child)
