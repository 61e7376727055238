"""What a trace's file says of its host's clock: ``host_clock`` in its ``META``.

=================  ====================================================================================================
``id``             of the clock: two files with the same one have times of the same clock, see
                   `launchpath._tracing.clocks.identity`
``host``           the host's name
``reference``      ``id``, ``host``, and ``by``: how it was asked, ``tcp node0:7460`` or ``mpi``
``measurements``   an object: by their numbers from 0 on, lists of the fields of `Measurement`
``failed``         how many measurements failed, and ``failure``, why the last one did
``lost``           questions without an answer; ``refused``: answers that no clock can have given
``statements``     what chrony, PTP and the kernel say of the time of day, by their names
=================  ====================================================================================================

A host that is the reference itself has the same ``id`` in both places, and no measurements.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from launchpath._trace.hosts.measurement import Measurement
from launchpath._trace.labels import text_of
from launchpath._trace.process import is_int

KEY = "host_clock"
COUNTS = ("failed", "lost", "refused")


@dataclass
class HostClock:
    """The clock of a host, as its file tells it. Texts that it does not tell are empty.

    Attributes
    ----------
    id, host : str
    reference_id, reference_host, by : str
        The reference, and how it was asked.
    measurements : list of Measurement
    failed, lost, refused : int
        Measurements that failed; questions without an answer; answers that were refused.
    failure : str
        Why the last measurement failed.
    statements : dict
        What others say of the host's time of day.
    """

    id: str
    host: str
    reference_id: str = ""
    reference_host: str = ""
    by: str = ""
    measurements: list[Measurement] = field(default_factory=list)
    failed: int = 0
    lost: int = 0
    refused: int = 0
    failure: str = ""
    statements: dict[str, Any] = field(default_factory=dict)

    @property
    def is_reference(self) -> bool:
        """Whether it is the reference's own clock."""
        return bool(self.id) and self.id == self.reference_id

    def as_json(self) -> dict[str, Any]:
        """Give it as a file has it."""
        return {
            "id": self.id,
            "host": self.host,
            "reference": {"id": self.reference_id, "host": self.reference_host, "by": self.by},
            "measurements": {str(number): list(each) for number, each in enumerate(self.measurements)},
            **{name: getattr(self, name) for name in COUNTS},
            **({"failure": self.failure} if self.failure else {}),
            "statements": self.statements,
        }


def read(meta: dict[str, Any]) -> HostClock | None:
    """Read the clock of a file's ``META``; None if it has none. What is damaged in it is left out."""
    facts = meta.get(KEY)
    if not isinstance(facts, dict) or not text_of(facts.get("id")):
        return None
    reference, points, statements = (_object(facts.get(name)) for name in ("reference", "measurements", "statements"))
    read_points = [Measurement.read(value) for _, value in sorted(points.items(), key=lambda item: _number(item[0]))]
    counts = {name: facts[name] for name in COUNTS if is_int(facts.get(name)) and 0 < facts[name] < 1 << 62}
    return HostClock(
        id=text_of(facts.get("id")),
        host=text_of(facts.get("host")),
        reference_id=text_of(reference.get("id")),
        reference_host=text_of(reference.get("host")),
        by=text_of(reference.get("by")),
        measurements=[each for each in read_points if each is not None],
        failure=text_of(facts.get("failure")),
        statements={name: told for name, told in statements.items() if isinstance(told, dict)},
        **counts,
    )


def joined(series: Iterable[list[Measurement]]) -> list[Measurement]:
    """Join the measurements of several processes of a host.

    Those of the process that measured longest are taken, and of the others what was before and after. Where two of them
    meet, the bend is one of a longer span, and holds for what is within it.
    """
    longest = sorted((sorted(each) for each in series if each), key=lambda each: each[0].time - each[-1].time)
    points: list[Measurement] = longest[0][:] if longest else []
    for other in longest[1:]:
        before = sum(each.time < points[0].time for each in other)
        if before:
            points[0] = points[0]._replace(bend=_bend(other, before))
            points = other[:before] + points
        after = sum(each.time <= points[-1].time for each in other)
        if after < len(other):
            points += [other[after]._replace(bend=_bend(other, after)), *other[after + 1 :]]
    return points


def _bend(series: list[Measurement], place: int) -> int:
    """Give the bend of a span that ends where a series has its measurement of that place, or before."""
    return series[place].bend if 0 < place < len(series) else -1


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _number(text: str) -> tuple[int, str]:
    return (int(text), "") if text.isdecimal() and len(text) < 20 else (1 << 64, text)
