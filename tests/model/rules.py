"""What CUDA and HIP promise, from the program alone, for programs on several devices: who must come before whom."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(eq=False)
class RuleStream:
    """A stream as the rules see it."""

    device: int
    kind: str
    last: int | None = None


@dataclass
class Rules:
    """`before[op]` is the set of ops that must come before it; `done` what the host has waited for."""

    streams: list[RuleStream]
    before: dict[int, frozenset[int]] = field(default_factory=dict)
    done: set[int] = field(default_factory=set)

    def op(self, stream: RuleStream, also: Iterable[int] = ()) -> int:
        """A command, record or wait: each counts as an action of its stream."""
        after = set(also)
        if stream.last is not None:
            after.add(stream.last)
        for other in self.streams:
            if other.device == stream.device and {stream.kind, other.kind} == {"legacy", "blocking"}:
                after |= {other.last} - {None}  # type: ignore[arg-type]
        op = len(self.before)
        self.before[op] = frozenset(after).union(*(self.before[a] for a in after))
        stream.last = op
        return op

    def finished(self, stream: RuleStream) -> None:
        """The host has synchronized the stream: for the legacy one, its device's blocking streams as well."""
        for other in self.streams:
            covered = stream.kind == "legacy" and other.kind == "blocking" and other.device == stream.device
            if (other is stream or covered) and other.last is not None:
                self.complete(other.last)

    def complete(self, op: int) -> None:
        """The host has waited for an op."""
        self.done |= {op} | self.before[op]

    def ordered(self, earlier: int, stream: RuleStream) -> bool:
        """Would a command on `stream` now come after `earlier`, an event aside that nobody has waited for?"""
        if earlier in self.done:
            return True
        last = [stream.last]
        for other in self.streams:
            if other.device == stream.device and {stream.kind, other.kind} == {"legacy", "blocking"}:
                last.append(other.last)
        return any(op is not None and (earlier == op or earlier in self.before[op]) for op in last)
