"""Where the times of CUDA devices' commands come from: CUPTI, or events."""

from __future__ import annotations

from launchpath import _core
from launchpath._drivers import cupti
from launchpath._streams.device import Device

CUPTI, EVENTS = "cupti", "events"
LEFT = f"{EVENTS}: a stream had to wait for the host"


class TimeSources:
    """The sources of each CUDA device's times in a trace, and why they are not CUPTI.

    Parameters
    ----------
    side_by_side : bool
        Whether the trace has times, and commands run side by side as without a trace: only such times can be CUPTI's.
    with_cupti : bool
        Whether CUPTI may be the source.
    """

    def __init__(self, side_by_side: bool, with_cupti: bool) -> None:
        self._side_by_side, self._with_cupti = side_by_side, with_cupti
        # By the devices' places. After a pause a device may have another source than before.
        self._current: dict[int, str] = {}
        self._all: dict[int, list[str]] = {}  # each once, in the order of their first use

    def record(self, device: Device, number: int) -> bool:
        """Let a device's commands be recorded from now on.

        Parameters
        ----------
        device : Device
        number : int
            Its place in the trace.

        Returns
        -------
        bool
            True if `facts` have changed.
        """
        source = ""
        if self._side_by_side and _core.device_traits(device).get("profiler") == "cupti":
            source = self._source(device)
        code = _core.trace_device(device, number, True, source == CUPTI)
        if code:
            source = LEFT if _core.trace_profiler_left() else f"{EVENTS}: {_core.cupti_text(code)}"
        return source != "" and self._add(number, source)

    def _source(self, device: Device) -> str:
        if not self._with_cupti:
            return EVENTS
        reason = cupti.load(device.info["driver_version"])
        return f"{EVENTS}: {reason}" if reason else CUPTI

    def _add(self, number: int, source: str) -> bool:
        """Note what a device's source is from now on; True if it never was that before."""
        self._current[number] = source
        sources = self._all.setdefault(number, [])
        if source in sources:
            return False
        sources.append(source)
        return True

    def end(self) -> bool:
        """Note that CUPTI was detached before the end, if it was; True if `facts` have changed."""
        if not _core.trace_profiler_left():
            return False
        numbers = [number for number, source in self._current.items() if source == CUPTI]
        for number in numbers:
            self._add(number, LEFT)
        return bool(numbers)

    def facts(self) -> dict[str, str]:
        """Return the sources by the devices' places, as the file has them."""
        return {str(number): ", then ".join(sources) for number, sources in self._all.items()}
