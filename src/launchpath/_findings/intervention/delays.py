"""What is delayed, and when: the text of ``LAUNCHPATH_DELAYS``, which `_core/trace/records/delays.h` reads.

``target=submissions;delays=0,1000,2000;repetitions=8;settle=1;warmup=2;seed=1;every=1;kind=kernel;anchor=NAME``

``target`` and ``delays`` may come several times, one behind the other: levels of all targets then alternate in one run.
``anchor`` is the last, because names may have any characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from launchpath._trace.format import COPIES, HOST_CODE, SUBMISSIONS, SYNCHRONIZATIONS

VARIABLE = "LAUNCHPATH_DELAYS"
# What can be delayed, by the words of the text.
TARGETS = {
    "submissions": SUBMISSIONS,
    "synchronizations": SYNCHRONIZATIONS,
    "copies": COPIES,
    "host-code": HOST_CODE,
}
KINDS = ("kernel", "range", "function")
ARMS_MOST = 64
DELAY_MOST = 100_000_000
COUNT_MOST = 1_000_000
NAME_MOST = 4095  # bytes
_COUNTS = {"repetitions": 1, "settle": 0, "warmup": 0, "every": 1, "seed": 0}  # with the least of each


class DelaysError(ValueError):
    """A text that says no delays, and why."""


class Arm(NamedTuple):
    """A level of a target.

    Attributes
    ----------
    target : str
        A word of `TARGETS`.
    delay : int
        Nanoseconds before each call; of ``"host-code"`` thousandths of the time between two calls.
    """

    target: str
    delay: int


@dataclass(frozen=True)
class Delays:
    """The delays of an intervention.

    Attributes
    ----------
    arms : tuple of Arm
        The levels. Each group of blocks has all of them, once.
    anchor : str
        What occurs in each repetition: a kernel by the name that its binary has, a range, or a function of the driver's
        or a call of launchpath's by the name that the trace's file has.
    kind : str
        Which of these it is: a word of `KINDS`.
    every : int
        How often it occurs in a repetition.
    repetitions : int
        Of a block.
    settle : int
        Repetitions after a switch that belong to no block: the queue still holds work of the block before.
    warmup : int
        Repetitions before the first block.
    seed : int
        Of the order of the levels.
    """

    arms: tuple[Arm, ...]
    anchor: str
    kind: str = "kernel"
    every: int = 1
    repetitions: int = 8
    settle: int = 1
    warmup: int = 2
    seed: int = 1

    def __post_init__(self) -> None:
        if len(self.arms) < 2:
            raise DelaysError(f"expected at least two delays, got {len(self.arms)}")
        if len(self.arms) > ARMS_MOST:
            raise DelaysError(f"expected at most {ARMS_MOST} delays, got {len(self.arms)}")
        for target, delay in self.arms:
            if target not in TARGETS:
                raise DelaysError(f"expected a target of {', '.join(TARGETS)}, got {target!r}")
            if not 0 <= delay <= DELAY_MOST:
                raise DelaysError(f"expected a delay from 0 to {DELAY_MOST}, got {delay}")
        if self.kind not in KINDS:
            raise DelaysError(f"expected a kind of {', '.join(KINDS)}, got {self.kind!r}")
        if not 0 < len(self.anchor.encode("utf-8", "surrogateescape")) <= NAME_MOST or "\0" in self.anchor:
            raise DelaysError(f"expected an anchor's name of 1 to {NAME_MOST} bytes, got {self.anchor[:40]!r}")
        for name, least in _COUNTS.items():
            value = getattr(self, name)
            if not least <= value <= COUNT_MOST:
                raise DelaysError(f"expected {name} from {least} to {COUNT_MOST}, got {value}")

    @property
    def text(self) -> str:
        """The text, as the environment has it."""
        parts = []
        for target in dict.fromkeys(arm.target for arm in self.arms):
            levels = ",".join(str(arm.delay) for arm in self.arms if arm.target == target)
            parts += [f"target={target}", f"delays={levels}"]
        parts += [f"{name}={getattr(self, name)}" for name in _COUNTS]
        return ";".join([*parts, f"kind={self.kind}", f"anchor={self.anchor}"])


def arms(**levels: Sequence[int]) -> tuple[Arm, ...]:
    """Make levels by target: ``arms(submissions=(0, 1000), host_code=(0, 50))``."""
    return tuple(Arm(target.replace("_", "-"), delay) for target, delays in levels.items() for delay in delays)


def parse(text: str) -> Delays:
    """Read a text, as `delays.h` does.

    Raises
    ------
    DelaysError
        It says no delays; the reason is in the message.
    """
    found: list[Arm] = []
    values: dict[str, int | str] = {}
    target, rest = "", text
    while rest:
        key, equals, value = rest.partition("=")
        if key == "anchor" and equals:
            values["anchor"], rest = value, ""
            continue
        part, _, rest = rest.partition(";")
        key, equals, value = part.partition("=")
        if not equals:
            raise DelaysError(f"expected NAME=VALUE, got {part!r}")
        if key == "target":
            target = value
            if target not in TARGETS:
                raise DelaysError(f"expected a target of {', '.join(TARGETS)}, got {target!r}")
        elif key == "delays":
            if not target:
                raise DelaysError("expected target= before delays=")
            found += [Arm(target, _number("a delay", each)) for each in value.split(",")]
        elif key == "kind":
            values["kind"] = value
        elif key in _COUNTS:
            values[key] = _number(key, value)
        else:
            raise DelaysError(f"expected target, delays, kind, {', '.join(_COUNTS)} or anchor, got {key!r}")
    if "anchor" not in values:
        raise DelaysError("expected anchor=NAME at the end")
    return Delays(tuple(found), **values)  # type: ignore[arg-type]


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise DelaysError(f"expected a number for {name}, got {text!r}")
    return int(text)
