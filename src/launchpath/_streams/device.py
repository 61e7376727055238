"""Devices: the list of devices, and the current device of this thread."""

from __future__ import annotations

import atexit
import os
import re
import threading
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, SupportsIndex
from weakref import WeakValueDictionary

from launchpath import _core
from launchpath._drivers import drivers, find
from launchpath._environment import checks_bounds, switch
from launchpath._listed import Listed
from launchpath._shown import described, shown
from launchpath._streams import process_end
from launchpath._streams.facts import DeviceFacts, device_html
from launchpath._streams.memory_report import memory_report
from launchpath.errors import ArgumentValueError, NoDeviceError

if TYPE_CHECKING:
    from launchpath._accepted import DeviceLike
    from launchpath._streams.stream import Stream

_lock = threading.Lock()
_devices: list[Device] | None = None
_skipped: list[tuple[str, str]] = []
_watcher: Callable[[Device], None] | None = None  # see `watch_devices`
_default_stream: Callable[[Device, int, str], Stream]  # see `make_default_streams_by`


class Device(DeviceFacts, Listed):
    """A device of a driver. It opens at first use and lives as long as the process, as CUDA's primary context does.

    Get one from `devices` or `current_device`; ``with device:`` makes it current on this thread. Its properties and
    limits are attributes: ``device.name``, ``device.compute_units``, ``device.total_memory``.

    Attributes
    ----------
    info : dict
        The same by name, as the driver reports it. It lacks entries that the device's platform does not report.
    """

    _of_core = ("info",)

    def __init__(self, driver: Any) -> None:
        configure()
        if switch("LAUNCHPATH_LOG"):
            _core.log_driver_calls(self)
        if _core.device_traits(self).get("runs_on_host"):
            _core.watch_crashes(self)
            if checks_bounds():
                self.info["checks_bounds"] = True  # its addresses are the host's
                _core.check_bounds(self)
        self._per_thread = threading.local()
        self._legacy_lock = threading.Lock()
        self._foreign_streams: WeakValueDictionary[int, Stream] = WeakValueDictionary()
        self._foreign_lock = threading.Lock()
        if _watcher is not None:
            _watcher(self)

    @property
    def legacy_stream(self) -> Stream:
        """The legacy default stream, ordered with every blocking stream of the device.

        The rules are those of the CUDA Runtime API, "Stream synchronization behavior".
        """
        if self.legacy is None:
            with self._legacy_lock:
                if self.legacy is None:
                    self.set_legacy(_default_stream(self, _core.LEGACY, "legacy default"))
        stream = self.legacy
        assert stream is not None
        return stream

    @property
    def per_thread_stream(self) -> Stream:
        """The calling thread's default stream: a blocking stream for this thread, created at first use."""
        stream: Stream | None = getattr(self._per_thread, "stream", None)
        if stream is None:
            stream = self._per_thread.stream = _default_stream(self, _core.BLOCKING, "per-thread default")
        return stream

    def synchronize(self) -> None:
        """Block until all work submitted to the device, on any stream, is complete.

        Raises
        ------
        AsynchronousError
            A command failed since its stream was last synchronized; the call has waited for all streams. On CUDA and
            HIP devices all later calls fail as well, until the process ends.
        """
        super().synchronize()

    def can_access_peer(self, other: DeviceLike) -> bool:
        """Return whether kernels of this device can use the memory of another one (hipDeviceCanAccessPeer).

        Parameters
        ----------
        other : Device, int or str
            A device, or an argument of `launchpath.device`. A device can access its own memory.
        """
        return _core.can_access_peer(self, _other_device(other))

    def enable_peer(self, other: DeviceLike) -> None:
        """Let kernels of this device take arrays of another one, from now on (hipDeviceEnablePeerAccess).

        The other direction is a call of its own. To call it again does nothing. Kernels are ordered by their own stream
        only: let it wait for the work on the other device that writes what they read.

        Parameters
        ----------
        other : Device, int or str
            A device, or an argument of `launchpath.device`.

        Raises
        ------
        LaunchpathError
            The device cannot access that memory: copy arrays instead.
        DriverError
            The library refuses: it may have a limit on the number of peers.

        Notes
        -----
        CUDA may wait for running work of the device. While the host holds a stream back (a host function that has not
        returned), the call waits for the host, and in a host function it raises `LaunchpathError`.
        """
        _core.enable_peer(self, _other_device(other))

    def memory_info(self) -> dict[str, int]:
        """Memory in bytes, and what the pool has done.

        Returns
        -------
        dict
            ``free`` and ``total`` from the driver; ``in_use`` by arrays, ``waiting`` for work in flight to end,
            ``pooled`` for reuse, ``staging`` for copies from and to host memory; ``arrays``, the number of arrays.
            Counts: ``allocations``; ``reused_in_order``, those of them that took memory which earlier work of their
            stream still used; ``ordered``, waits of other streams for such work; ``waits`` of the host for memory;
            ``driver_allocations`` and ``driver_frees``, calls of the driver.
        """
        return dict(self.pool.info())

    def memory_report(self) -> str:
        """Return what `memory_info` has as a text: which sizes are used, waiting and free, and what waits for what."""
        return memory_report(self)

    def set_memory_limit(self, size: SupportsIndex | None) -> None:
        """Limit the memory that the pool takes from the driver, in bytes; None removes the limit.

        Parameters
        ----------
        size : int or None
            Bytes at most, at once; None: no limit.

        Raises
        ------
        ArgumentValueError
            It is not such a number.
        """
        limit = None if size is None else _core.whole_number(size)
        if size is not None and (limit is None or limit < 0):
            raise ArgumentValueError(
                f"expected a memory limit, an int in bytes or None for no limit, got {shown(size)}"
            )
        self.pool.limit = limit

    def trim_memory(self) -> None:
        """Return memory that the pool keeps for reuse to the driver, and unload programs that were dropped.

        CUDA and HIP may wait for running work of the device. While the host holds back any of its streams (a host
        function that has not returned), no memory is returned, so that this call never waits for the host.
        """
        self.pool.trim()

    def __repr__(self) -> str:
        return f"<Device {self.name!r} ({self.info['driver']}, {self.info['platform']})>"

    def _repr_html_(self) -> str:
        return device_html(self)


def make_default_streams_by(function: Callable[[Device, int, str], Stream]) -> None:
    """Name the function that makes a device's own streams: (device, kind, name). `Stream` itself needs this module."""
    global _default_stream  # noqa: PLW0603 (set once, when streams are imported)
    _default_stream = function


def watch_devices(function: Callable[[Device], None] | None) -> None:
    """Name the function that is told of devices as they open, or None."""
    global _watcher  # noqa: PLW0603 (the process's one)
    _watcher = function


def _after_fork_in_child() -> None:
    global _lock  # noqa: PLW0603 (a thread of the parent may have held it)
    _lock = threading.Lock()
    _core.after_fork_in_child()


@cache
def configure() -> None:
    """Read the environment, and prepare for fork and exit, once: before the first device is opened."""
    blocking, skipping = switch("LAUNCHPATH_LAUNCH_BLOCKING"), switch("LAUNCHPATH_SKIP_UPLOADS", True)
    _core.set_ordering(os.environ.get("LAUNCHPATH_ORDERING") or "clocks")
    _core.set_launch_blocking(blocking)
    _core.set_bounds_mode(checks_bounds())
    _core.set_argument_skipping(skipping)
    _core.set_breaks(name.strip() for name in os.environ.get("LAUNCHPATH_BREAK", "").split(",") if name.strip())
    _core.set_copiers(_processors() // 2 - 1)  # they share the memory's bandwidth, and leave room for other work
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_after_fork_in_child)
    atexit.register(process_end.at_exit)


def _processors() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def devices() -> list[Device]:
    """All devices of all drivers, GPUs first; always the same objects in the same order.

    Returns
    -------
    list of Device
        Empty without a device: the error of `current_device` lists the packages to install.
    """
    global _devices  # noqa: PLW0603 (the process's one list)
    with _lock:
        if _devices is None:
            found, skipped = find()
            _skipped[:] = skipped
            _devices = [Device(driver) for driver in found]
        return list(_devices)


def skipped_devices() -> list[tuple[str, str]]:
    """Return the drivers, platforms and devices that were skipped, as pairs: (name, reason)."""
    devices()
    return list(_skipped)


_INDEX = re.compile(r"\s*-?[0-9]{1,9}\s*", re.ASCII)
_ALIASES = {"Portable Computing Language": "pocl"}  # what people call a platform that calls itself something else


def _matching(request: str, among: list[Device]) -> Iterator[Device]:
    for device in among:
        platform = device.info["platform"]
        info = device.info
        words = (info["kind"], info["driver"], platform, _ALIASES.get(platform, ""), info["vendor"], device.name)
        text = " ".join(words)
        if all(word in text.lower() for word in request.lower().split()):
            yield device


def device(which: SupportsIndex | str) -> Device:
    """Find a device.

    Parameters
    ----------
    which : int or str
        An index into `devices`, or words that all occur in the device's kind, driver, platform, vendor or name,
        in upper or lower case: ``"pocl"``, ``"nvidia opencl"``.

    Raises
    ------
    NoDeviceError
        There is no such device; the message lists the devices.
    ArgumentValueError
        It is neither an index nor words.
    """
    words = which if isinstance(which, str) else None
    index = _core.whole_number(int(which) if words and _INDEX.fullmatch(words) else which)
    if index is None and not (words and words.strip()):
        hint = ""
        if which is None or isinstance(which, _core.DeviceBase):
            hint = ": launchpath.current_device() is the one in use" if which is None else ": it is a device already"
        raise ArgumentValueError(f"expected the index of a device, or words, got {described(which)}{hint}")
    among = devices()
    if index is None and words is not None:
        for match in _matching(words, among):
            return match
    elif index is not None and 0 <= index < len(among):
        return among[index]
    hint = ""
    if words and (words.startswith("-") or "\n" in words):
        hint = ", which are hardly words for one: options of the compiler go to options=[...]"
    raise NoDeviceError(f"no device {shown(which)}{hint}. " + _what_there_is(among, words or ""))


def as_device(which: DeviceLike | None) -> Device:
    """Give the device that an argument names: itself, what `device` takes, or None for the current one.

    Raises
    ------
    NoDeviceError
        There is none such.
    ArgumentValueError
        It names no device.
    """
    if which is None:
        return current_device()
    if isinstance(which, _core.DeviceBase):
        return which
    if isinstance(which, str) or _core.whole_number(which) is not None:
        return device(which)
    raise ArgumentValueError(
        "expected a device of launchpath.devices(), its index, or words as launchpath.device takes them, got "
        f"{described(which)}"
    )


def _other_device(device: DeviceLike) -> Device:
    """Give the device that an argument names; None names none, for the current one is hardly meant."""
    if device is None:
        raise ArgumentValueError(
            "expected another device, its index, or words as launchpath.device takes them, got None"
        )
    return as_device(device)


def _what_there_is(among: list[Device], text: str = "") -> str:
    lines = [
        f"{i}: {device.name} ({device.info['driver']}, {device.info['platform']})" for i, device in enumerate(among)
    ]
    lines += [f"skipped: {name}: {reason}" for name, reason in _skipped]
    mentioned = {name.split()[0] for name, _ in _skipped} | {device.info["driver"].upper() for device in among}
    for driver in drivers():
        if driver.name.upper() not in mentioned and any(word in text.lower() for word in driver.words):
            lines.append(f"{driver.title}: {driver.absent}")
    if not among:
        lines.append(
            "Install a CPU device with `pip install intel-opencl-rt intel-cmplr-lib-rt` (Linux, x86-64; the extra "
            "launchpath[cpu] brings them) or your system's OpenCL driver "
            "(Debian: `apt install pocl-opencl-icd ocl-icd-libopencl1`, or the GPU vendor's), then look at "
            "`launchpath devices`."
        )
    return "Devices:\n" + "\n".join(lines)


def current_device() -> Device:
    """The device of the innermost ``with device:`` or ``with stream:`` on this thread; else the default.

    With a follower (`launchpath.interop.follow_torch`), the other library's current device.

    The default is the one that the environment variable ``LAUNCHPATH_DEVICE`` names (as `device` takes it), or the
    first of `devices`.

    Returns
    -------
    Device

    Raises
    ------
    NoDeviceError
        There is no device; the message lists the packages to install.
    """
    for entered, stream in reversed(_core.entered()):
        if entered is not None:
            return entered
        if stream is not None:
            return stream.device if isinstance(stream, _core.QueueBase) else stream.current_device()
    default = default_device()
    _core.remember_default_device(default)
    return default


def default_device() -> Device:
    """Return the device that ``LAUNCHPATH_DEVICE`` names, or the first."""
    name = os.environ.get("LAUNCHPATH_DEVICE")
    if name:
        try:
            return device(name)
        except (ArgumentValueError, NoDeviceError) as error:
            raise NoDeviceError(f"{error} (LAUNCHPATH_DEVICE names the default)") from None
    among = devices()
    if not among:
        raise NoDeviceError("there is no device to launch on. " + _what_there_is(among))
    return among[0]


def synchronize() -> None:
    """Block until all work submitted to the current device is complete."""
    current_device().synchronize()
