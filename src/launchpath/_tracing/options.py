"""The options of a trace, checked."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any

from launchpath import _core
from launchpath._advice import did_you_mean
from launchpath._shown import described, shown
from launchpath._streams.device import Device, as_device
from launchpath._tracing.clocks import inside
from launchpath._tracing.file_name import expanded
from launchpath._tracing.keep import Keep
from launchpath._tracing.patterns import Patterns
from launchpath._tracing.period import Period
from launchpath.errors import ArgumentValueError

if TYPE_CHECKING:
    from launchpath._accepted import DeviceLike

MODES = ("host", "device", "serialized")


@dataclass(frozen=True)
class Options:
    """What a trace records, and how."""

    file: str | None  # its name, absolute; None: a temporary file
    mode: str
    devices: list[Device] | None  # None: all
    patterns: Patterns
    period: Period | None
    drops: bool  # whether slots that find no room are dropped
    timing_objects: int
    ring: int  # slots
    cupti: bool  # whether CUPTI may tell the times of CUDA devices
    findings: bool  # whether what findings are read from is recorded too
    sites: bool  # and the source lines of calls with it
    keep: Keep
    clock: Any  # what the host's clock is measured against: an address or a communicator; None: nothing

    @classmethod
    def checked(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        mode: str = "device",
        device: DeviceLike | Iterable[DeviceLike] | None = None,
        include: str | Iterable[str] = (),
        exclude: str | Iterable[str] = (),
        period: str | None = None,
        when_full: str = "wait",
        timing_objects: int = 4096,
        ring: int = 16384,
        cupti: bool = False,
        findings: bool = False,
        sites: bool = True,
        keep: str = "records",
        slow: float | None = None,
        window: float | None = None,
        clock: Any = None,
    ) -> Options:
        """Check the arguments of `launchpath.trace`, which says what they mean.

        Raises
        ------
        ArgumentValueError
            One of them has no such value.
        """
        if mode not in MODES:
            raise ArgumentValueError(f"mode: expected one of {', '.join(MODES)}, got {shown(mode)}")
        if when_full not in ("wait", "drop"):
            raise ArgumentValueError(f"when_full: expected 'wait' or 'drop', got {shown(when_full)}")
        for name, value in (("cupti", cupti), ("findings", findings), ("sites", sites)):
            if not isinstance(value, bool):
                raise ArgumentValueError(f"{name}: expected True or False, got {described(value)}")
        slots = _whole(ring, "ring", 64, 16384)
        if slots & (slots - 1):
            raise ArgumentValueError(f"ring: expected a power of 2, got {shown(ring)}")
        return cls(
            file=None if path is None else os.path.abspath(expanded(_text(path))),  # the folder may change
            mode=mode,
            devices=None if device is None else _devices(device),
            patterns=Patterns(include, exclude),
            period=None if period is None else Period(period),
            drops=when_full == "drop",
            timing_objects=_whole(timing_objects, "timing_objects", 1, 1 << 20),
            ring=slots,
            cupti=cupti,
            findings=findings,
            sites=sites,
            keep=Keep.checked(keep, slow, window),
            clock=inside.checked(clock),
        )

    @property
    def findings_asked(self) -> int:
        """What findings are read from, as the core takes it: nothing, evidence, or source lines too."""
        return 0 if not self.findings else 3 if self.sites else 1

    def facts(self) -> dict[str, Any]:
        """Give what stands of them in the trace's file."""
        return {
            "include": self.patterns.include,
            "exclude": self.patterns.exclude,
            "period": None if self.period is None else self.period.text,
            "when_full": "drop" if self.drops else "wait",
            "timing_objects": self.timing_objects,
            "ring": self.ring,
            "cupti": self.cupti,
            "keep": self.keep.kind,
        }


def check_names(names: Iterable[str]) -> None:
    """Refuse options that a trace does not have.

    Raises
    ------
    TypeError
        With the nearest name.
    """
    options = [field.name for field in signature(Options.checked).parameters.values()]
    for name in names:
        if name not in options:
            raise TypeError(
                f"a trace has no option {name!r}, expected some of {', '.join(options[1:])}"
                f"{did_you_mean(name, options)}"
            )


def _text(path: object) -> str:
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"expected the file of a trace, a str or a path, got {described(path)}")
    return os.fsdecode(path)


def _whole(value: int, name: str, least: int, most: int) -> int:
    number = _core.whole_number(value)
    if number is None or not least <= number <= most:
        raise ArgumentValueError(f"{name}: expected an int from {least} to {most}, got {described(value)}")
    return int(number)


def _devices(chosen: DeviceLike | Iterable[DeviceLike]) -> list[Device]:
    if isinstance(chosen, (str, int, _core.DeviceBase)) or not isinstance(chosen, Iterable):
        return [as_device(chosen)]
    devices = [as_device(each) for each in chosen]
    if not devices:
        raise ArgumentValueError("device: expected a device, or several, got none")
    return devices
