"""Where the times of CUDA devices' commands come from: CUPTI, or events."""

from __future__ import annotations

from launchpath import _core
from launchpath._drivers import cupti
from launchpath._streams.device import Device

CUPTI, EVENTS = "cupti", "events"
LATER = "cupti, then events: a stream had to wait for the host"


class TimeSources:
    """The source of each CUDA device's times in a trace, and why it is not CUPTI.

    Parameters
    ----------
    with_times : bool
        Whether the trace has times of commands that run side by side: only these can be CUPTI's.
    with_cupti : bool
        Whether CUPTI may be the source.
    """

    def __init__(self, with_times: bool, with_cupti: bool) -> None:
        self._with_times, self._with_cupti = with_times, with_cupti
        self._by_number: dict[int, str] = {}

    def record(self, device: Device, number: int) -> bool:
        """Let a device's commands be recorded from now on; say whether `facts` have changed.

        Parameters
        ----------
        device : Device
        number : int
            Its place in the trace.
        """
        source = (
            self._source(device) if self._with_times and _core.device_traits(device).get("profiler") == "cupti" else ""
        )
        code = _core.trace_device(device, number, True, source == CUPTI)
        if code:
            source = f"{EVENTS}: {_core.cupti_text(code)}"
        if not source or self._by_number.get(number) == source:
            return False
        self._by_number[number] = source
        return True

    def _source(self, device: Device) -> str:
        if not self._with_cupti:
            return EVENTS
        reason = cupti.load(device.info["driver_version"])
        return f"{EVENTS}: {reason}" if reason else CUPTI

    def end(self) -> bool:
        """Note that CUPTI was detached before the end, if it was; say whether `facts` have changed."""
        if not _core.trace_profiler_left() or CUPTI not in self._by_number.values():
            return False
        self._by_number = {number: LATER if source == CUPTI else source for number, source in self._by_number.items()}
        return True

    def facts(self) -> dict[str, str]:
        """Return the sources by the devices' places, as the file has them."""
        return {str(number): source for number, source in self._by_number.items()}
