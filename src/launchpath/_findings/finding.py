"""Findings: what holds a program back, what a mend would save, and how that is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from launchpath._findings.interval import Interval

# How a number is known, from the weakest proof to the strongest.
SIMULATED, INTERVENED, REPLAYED = "simulated", "intervened", "replayed"

# In the evidence: the saving is an upper bound, or may be less because the device's kernels take the host's processors.
AT_MOST, SHARED_PROCESSORS = "at_most", "shared_processors"


@dataclass(frozen=True)
class Proof:
    """A number, and how it is known.

    Attributes
    ----------
    how : str
        `SIMULATED`, `INTERVENED` or `REPLAYED`.
    saving : Interval or None
        Nanoseconds of one repetition that the mend saves; of an intervention the simulated one, at most the slope times
        the host's time that the finding is of.
    slope : Interval or None
        Of an intervention: by how much the time of a repetition grew, for each nanosecond of delay. 1: all of it is on
        the critical path. 0: it is hidden.
    text : str
        What was done, for readers: "the program ran again with 0, 1 and 2 us before each submission".
    """

    how: str
    saving: Interval | None = None
    slope: Interval | None = None
    text: str = ""

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON takes it, times in microseconds."""
        return {
            "how": self.how,
            "us_saving": self.saving.scaled(1e-3).as_json() if self.saving else None,
            "slope": self.slope.as_json() if self.slope else None,
            "text": self.text,
        }


@dataclass
class Finding:
    """What holds a region of a program back, or what seems to and does not.

    Attributes
    ----------
    kind : str
        A name of `kinds.KINDS`.
    subject : str
        What it is about, as a reader knows it: a kernel, a function of the driver, an array, a thread.
    region : str
        The region that it is part of; empty: the whole program.
    sentence : str
        What is so, with its number: "`upload` sends the same 1.2 MB 400 times (84 us each): 34 ms of 4.4 s."
    mend : str
        What to do: "`with lp.Step():` around simulate.py:41."
    sites : list of str
        The source lines, as "path:line function", the most frequent first. Empty: they are not known.
    threads : list of str
        The threads that it concerns.
    count : int
        How many records it was read from, of all repetitions.
    repetitions : int
        How often the region ran.
    period : float
        Nanoseconds of one repetition of the region: the median; the mean where what is lost makes few of them long.
    saving : Interval or None
        Nanoseconds of one repetition that the mend saves; the strongest proof's. None: nothing can be told.
    proofs : list of Proof
        The weakest first.
    hidden : bool
        It costs nothing: what it takes is hidden behind something else. Listed as "leave it".
    evidence : dict
        Numbers by name, as JSON takes them. Names of times begin with ``us_``.
    edit : object
        The mend as an edit of the simulation, see `simulation.edits`; None: it cannot be simulated.
    """

    kind: str
    subject: str
    region: str
    sentence: str
    mend: str
    sites: list[str] = field(default_factory=list)
    threads: list[str] = field(default_factory=list)
    count: int = 0
    repetitions: int = 0
    period: float = 0.0
    saving: Interval | None = None
    proofs: list[Proof] = field(default_factory=list)
    hidden: bool = False
    evidence: dict[str, Any] = field(default_factory=dict)
    edit: Any = None

    @property
    def total(self) -> float:
        """Nanoseconds that the mend saves of the whole program."""
        return self.saving.value * self.repetitions if self.saving else 0.0

    @property
    def is_most(self) -> bool:
        """Whether the saving is an upper bound."""
        return any(self.evidence.get(name) for name in (AT_MOST, SHARED_PROCESSORS))

    @property
    def share(self) -> Interval | None:
        """The share of the region's time that the mend saves, from 0 to 1."""
        return self.saving.scaled(1 / self.period) if self.saving and self.period else None

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON takes it, times in microseconds."""
        return {
            "kind": self.kind,
            "subject": self.subject,
            "region": self.region,
            "sentence": self.sentence,
            "mend": self.mend,
            "sites": self.sites,
            "threads": self.threads,
            "count": self.count,
            "repetitions": self.repetitions,
            "us_repetition": self.period / 1e3,
            "us_saving": self.saving.scaled(1e-3).as_json() if self.saving else None,
            "share": self.share.as_json() if self.share else None,
            "us_saving_of_all": self.total / 1e3,
            "hidden": self.hidden,
            "proofs": [proof.as_json() for proof in self.proofs],
            "evidence": self.evidence,
        }
