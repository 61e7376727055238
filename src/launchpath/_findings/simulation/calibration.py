"""What mends cost that no record of the program tells: measured on the device, see ``_proof.calibration``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Calibration:
    """Costs on a device, in nanoseconds.

    Attributes
    ----------
    device : str
    launch : float
        The host's time of a launch by itself.
    kept : float
        The host's time of a launch inside a step, which is only compared with the one of the last time.
    submit : float
        The fixed part of the host's time to submit a step.
    node : float
        What each further launch adds to that.
    gap : float
        By how much the device's time from one launch to the next is longer in a step than for launches by themselves
        that wait in the queue; negative: shorter.
    apart : float
        The device's time from the end of a launch to the begin of the next one, of launches by themselves that wait in
        the queue; 0: not measured.
    traced_launch, traced_wait : float
        By how much longer a launch takes in a trace of launchpath's own, and a wait that follows it.
    pinned, pageable : float
        Bytes of a nanosecond of a large copy from memory that is pinned, and that is not; 0: not measured.
    """

    device: str
    launch: float
    kept: float
    submit: float
    node: float
    gap: float
    apart: float = 0.0
    traced_launch: float = 0.0
    traced_wait: float = 0.0
    pinned: float = 0.0
    pageable: float = 0.0
