"""torch: following its current stream, and reading its tensors."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from launchpath import _core
from launchpath._streams.follower import Follower
from launchpath._streams.stream import Stream
from launchpath.errors import ArgumentValueError, LibraryError
from launchpath.interop import torch_abi
from launchpath.interop.devices import numbered

if TYPE_CHECKING:
    from launchpath._streams.device import Device

_making = Lock()


def follow_torch() -> Follower:
    """Use torch's current stream of the device for launches, copies and fills that name no stream.

    Returns
    -------
    Follower
        ``with follow_torch():`` does so inside the block, on this thread; ``follow_torch().start()`` does so on this
        thread until ``follow_torch().stop()``. torch's current device is then the current device as well. A ``with
        stream:`` or ``with device:`` inside such a block overrides it, the latter for the device only.

    Raises
    ------
    LibraryError
        torch is not installed, has no CUDA or ROCm, or is an unknown version.

    Notes
    -----
    torch's current stream is looked up at each launch. Arrays are allocated for use on any stream, as always. A stream
    that torch itself did not create (``torch.cuda.ExternalStream``) must outlive the block, or `stop`.
    """
    _imported()  # without the lock: it takes seconds
    with _making:  # with `cache` alone two threads may make one each, and one's `stop` does not end the other's `start`
        return _follower()


@cache
def _follower() -> TorchFollower:
    return TorchFollower(_imported())


def _imported() -> Any:
    try:
        import torch  # noqa: PLC0415 (only when it is wanted)
    except ImportError as error:
        raise LibraryError(f"torch cannot be imported: {error}") from error
    return torch


class TorchFollower(Follower):
    """torch's current stream and device."""

    def __init__(self, torch: Any) -> None:
        version = getattr(torch, "version", None)
        self._driver = "hip" if getattr(version, "hip", None) else "cuda"
        if self._driver == "cuda" and not getattr(version, "cuda", None):
            raise LibraryError(f"torch {torch.__version__} was built without CUDA or ROCm: it has no streams to follow")
        ask = getattr(torch._C, "_cuda_getCurrentRawStream", None)
        if ask is None:
            raise LibraryError(
                f"torch {torch.__version__} has no torch._C._cuda_getCurrentRawStream, which gives its current "
                "stream: this version of launchpath does not support it"
            )
        self._torch, self._ask = torch, ask
        self.follow(ask)
        self._devices: dict[int, Device] = {}
        # By device: its number, and its streams by handle. torch's own are never destroyed, so they are kept.
        self._streams: dict[Device, tuple[int, dict[int, Stream]]] = {}
        self._borrowed: list[tuple[Device, int]] = []

    def current_device(self) -> Device:
        """Give torch's current device."""
        ordinal = int(self._torch.cuda.current_device())
        device = self._devices.get(ordinal) or numbered(ordinal, (self._driver,))
        if device is None:
            raise ArgumentValueError(f"torch's current device {ordinal} is not in launchpath.devices()")
        self._devices[ordinal] = device
        return device

    def current_stream(self, device: Device) -> Stream:
        """Give torch's current stream of a device; the legacy default stream of one that is not torch's."""
        try:
            ordinal, streams = self._streams[device]
            return streams[self._ask(ordinal)]
        except KeyError:
            return self._meet(device)

    def _meet(self, device: Device) -> Stream:
        """Make a stream, or look at a device, that was not met before."""
        if device.info["driver"] != self._driver:
            return device.legacy_stream
        ordinal = int(device.info["ordinal"])
        if ordinal >= self._torch.cuda.device_count():
            raise ArgumentValueError(f"torch has no device {ordinal}, where {device.name!r} is")
        _, streams = self._streams.setdefault(device, (ordinal, {}))
        handle = self._ask(ordinal)
        stream = Stream.external(handle, device)
        streams[handle] = stream
        if self._is_external(ordinal, handle):
            self._borrowed.append((device, handle))
        return stream

    def _is_external(self, ordinal: int, handle: int) -> bool:
        """Whether somebody else made the stream, and may destroy it.

        For a stream that torch did not make, `stream_id` is the handle.
        """
        try:
            # 0, 1 and 2 are the default streams.
            return handle > 2 and int(self._torch.cuda.current_stream(ordinal).stream_id) == handle
        except AttributeError:
            return True

    def _left(self) -> None:
        """Drop streams that others made."""
        self.forget()
        with suppress(IndexError):  # it is empty: other threads, whose follower this is too, may drop some
            while True:
                device, handle = self._borrowed.pop()
                self._streams[device][1].pop(handle, None)


def _read_tensor(tensor: Any) -> Any:
    return torch_abi.stable_abi(tensor)


_core.register_tensor_reader(_read_tensor)
