"""Export of an array's memory without a copy, to NumPy and others: views, DLPack and the CUDA Array Interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from launchpath import _core
from launchpath._memory import host_memory
from launchpath._streams.stream_argument import ordered_stream
from launchpath.errors import LaunchpathError

if TYPE_CHECKING:
    from launchpath._streams.device import Device

_CPU = (1, 0)  # DLPack's kDLCPU


class Exchange(_core.ArrayBase):
    """The protocols that `Array` speaks."""

    device: Device

    def _check_lives(self) -> None:
        if self.allocation.freed:
            raise _core.freed_error(self)

    def _host(self) -> npt.NDArray[Any]:
        loan = _core.Loan(self)  # first: from here on no other thread can free the memory by name
        if not self._is_on_host():
            raise BufferError(f"the host cannot reach the memory of {self.device.name!r}: use to_numpy()")
        return self._lent(loan)

    def _lent(self, loan: _core.Loan) -> npt.NDArray[Any]:
        flat = host_memory.view(self.pointer, self.nbytes, loan)
        return flat.view(self.dtype).reshape(self.shape)

    def _is_on_host(self) -> bool:
        return bool(self.device.info["host_accessible"]) or self.allocation.managed

    def host_view(self) -> npt.NDArray[Any]:
        """Return a NumPy array of the same memory, without a copy; blocks until the device's work is complete.

        For arrays of `managed_empty`, and all arrays of a device whose memory the host can access
        (`Device.host_accessible`). The memory lives as long as the view, and is not freed by `free` meanwhile.

        The call waits for work that was submitted before, and launches and copies that are submitted afterwards do not
        know of the view: call `host_view` again, or synchronize their stream, before the host touches elements that
        such work uses. On a device without `Device.concurrent_managed_access` the host must not touch any managed
        memory while any work is under way on the device: the system would end the process. There, call it after each
        launch, and let no other thread launch meanwhile.

        Returns
        -------
        numpy.ndarray
            Same shape and dtype, writeable.

        Raises
        ------
        LaunchpathError
            The host cannot access the array's memory.
        AsynchronousError
            A command failed on a stream that was waited for.
        FreedError
            The array was freed.
        """
        loan = _core.Loan(self)
        if not self._is_on_host():
            instead = "allocate it with launchpath.managed_empty, or " if self.device.info["managed_memory"] else ""
            raise LaunchpathError(
                f"expected an array whose memory the host can access, got an array in device memory of "
                f"{self.device.name!r}: {instead}copy it with to_numpy()"
            )
        view = self._lent(loan)
        _core.wait_for_all(self.device)
        return view

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
        """Return DLPack's (kind, number) of the device; memory that the host reaches is CPU memory, ``(1, 0)``.

        An array of `managed_empty` on a CUDA or HIP device is an array of that device to other libraries, unless they
        ask `__dlpack__` for something else.
        """
        kind, number = _core.dlpack_device(self.device)
        if kind:
            return kind, number
        self._host()
        return _CPU

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

        Of an array of `managed_empty` a library may ask for other views of the same memory by ``dl_device``: ``(1, 0)``
        for the CPU, after waiting as `host_view` does; on CUDA devices kDLCUDAManaged, ``(13, number)``.

        Raises
        ------
        BufferError
            The host cannot reach this device's memory, or a copy or another device is asked for.
        """
        traits = _core.device_traits(self.device)
        kind, number = _core.dlpack_device(self.device)
        managed = self.allocation.managed
        if not kind or (managed and dl_device == _CPU):
            host = self._host()
            _core.wait_for_all(self.device)
            requested: dict[str, Any] = {"max_version": max_version, "dl_device": dl_device, "copy": copy}
            return host.__dlpack__(**{key: value for key, value in requested.items() if value is not None})
        if managed and dl_device == (traits.get("dlpack_managed"), number):
            kind = traits["dlpack_managed"]
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
