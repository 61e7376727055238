"""Which delays to take for a program, and how long it must run with them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from launchpath._findings.anchor import Anchor
from launchpath._findings.intervention.delays import Arm, Delays

_SHARE = 0.12  # of a repetition, that the longest delays of a target take together
_LEAST, _MOST = 1000, 2_000_000  # nanoseconds of the longest delay
_THOUSANDTHS = (120, 2000)  # the longest delay of host code, of the time between calls: at least, at most
_BLOCK = 5e5  # nanoseconds that a block lasts at least. Short groups leave the machine little time to change
_REPETITIONS = (4, 1000)
_SETTLE = 1
_WARMUP = 3e8  # nanoseconds: caches fill, kernels are compiled
_WARMUP_MOST = 20  # repetitions
# Groups that give an interval of half a width of 0.05, from what programs on quiet machines have shown.
GROUPS_FIRST = 40


@dataclass(frozen=True)
class Plan:
    """The delays of a run.

    Attributes
    ----------
    delays : Delays
    group : float
        Nanoseconds that a group of blocks takes: each level once.
    left_out : dict
        For each target that is not delayed why.
    """

    delays: Delays
    group: float
    left_out: dict[str, str]

    def seconds(self, groups: int = GROUPS_FIRST) -> float:
        """Tell how long the repetitions of a program must go on for so many groups."""
        warmup = self.delays.warmup + 1
        repetitions = len(self.delays.arms) * (self.delays.repetitions + self.delays.settle)
        return (groups * self.group + warmup * self.group / repetitions) / 1e9


def plan(anchor: Anchor, counts: Mapping[str, float], seed: int = 1) -> Plan:
    """Choose delays.

    The longest delay of a target makes a repetition longer by some per cent at most: enough to be seen, and too little
    to change what the program waits for.

    Parameters
    ----------
    anchor : Anchor
    counts : mapping
        For each target how many calls of it a repetition has; of ``"host-code"`` how many nanoseconds of it.
    seed : int
        Of the order of the levels.
    """
    arms: list[Arm] = []
    left_out = {}
    for target, count in counts.items():
        if count <= 0:
            left_out[target] = "a repetition has no such call"
            continue
        if target == "host-code":
            longest = round(min(max(1000 * _SHARE * anchor.period / count, _THOUSANDTHS[0]), _THOUSANDTHS[1]))
        else:
            longest = round(min(max(_SHARE * anchor.period / count, _LEAST), _MOST))
        arms += [Arm(target, delay) for delay in (0, longest // 2, longest)]
    if not arms:
        raise ValueError(f"expected a target with calls in a repetition, got {dict(counts)}")
    repetitions = min(max(math.ceil(_BLOCK / anchor.period), _REPETITIONS[0]), _REPETITIONS[1])
    warmup = min(max(math.ceil(_WARMUP / anchor.period), 2), _WARMUP_MOST)
    delays = Delays(
        tuple(arms),
        anchor.name,
        kind=anchor.kind,
        every=anchor.every,
        repetitions=repetitions,
        settle=_SETTLE,
        warmup=warmup,
        seed=seed,
    )
    group = len(arms) * (repetitions + _SETTLE) * anchor.period * (1 + _SHARE / 2)
    return Plan(delays, group, left_out)
