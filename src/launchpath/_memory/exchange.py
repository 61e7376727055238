"""Export of an array's memory to other libraries without a copy, by DLPack and the CUDA Array Interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from launchpath import _core
from launchpath._memory import host_memory
from launchpath._streams.stream import ordered_stream
from launchpath.errors import FreedError

if TYPE_CHECKING:
    from launchpath._streams.device import Device


class Exchange(_core.ArrayBase):
    """The protocols that `Array` speaks."""

    device: Device

    def _check_lives(self) -> None:
        if self.allocation.freed:
            raise FreedError(f"the array of shape {self.shape}, {self.dtype}, was freed")

    def _host(self) -> npt.NDArray[Any]:
        self._check_lives()
        if not self.device.info["host_accessible"]:
            raise BufferError(f"the host cannot reach the memory of {self.device.name!r}: use to_numpy()")
        flat = host_memory.view(self.pointer, self.nbytes, _core.Loan(self))
        return flat.view(self.dtype).reshape(self.shape)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The array as CuPy, Numba and torch take it (CUDA Array Interface, version 3), on CUDA and HIP devices.

        What was submitted to the device by then comes before what is submitted to its legacy default stream, which is
        the stream that the interface names.
        """
        kind, _ = _core.dlpack_device(self.device)
        if not kind:
            raise AttributeError(
                f"an array on {self.device.name!r} has no __cuda_array_interface__: it is not a CUDA device"
            )
        self.device.order_before(self.device.legacy_stream)
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.pointer, False),
            "strides": None,
            "version": 3,
            "stream": 1,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return DLPack's (kind, number) of the device; memory that the host reaches is CPU memory, ``(1, 0)``."""
        kind, number = _core.dlpack_device(self.device)
        if kind:
            return kind, number
        self._host()
        return (1, 0)

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Give the memory to another library without a copy (the Array API standard's ``__dlpack__``).

        On CUDA and HIP devices ``stream`` comes after everything submitted to the device so far, without blocking the
        caller; ``-1``: nothing is waited for. On CPU devices the device is synchronized.

        Raises
        ------
        BufferError
            The host cannot reach this device's memory, or a copy or another device is asked for.
        """
        kind, number = _core.dlpack_device(self.device)
        if not kind:
            host = self._host()
            self.device.synchronize()
            given: dict[str, Any] = {"max_version": max_version, "dl_device": dl_device, "copy": copy}
            return host.__dlpack__(**{key: value for key, value in given.items() if value is not None})
        if copy or dl_device not in (None, (kind, number)):
            raise BufferError(
                "an array exports its own memory, without a copy and on its own device: use to_numpy, or copy_to"
            )
        self._check_lives()
        if stream is None or stream in (0, 1):
            self.device.order_before(self.device.legacy_stream)
        elif stream != -1:
            self.device.order_before(ordered_stream(stream, self.device))
        return _core.dlpack_capsule(self, kind, number, max_version is not None and max_version[0] >= 1)
