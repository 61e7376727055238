"""What programs came to, and the count of it."""

import time
from dataclasses import asdict, dataclass
from typing import Any

KINDS = ("wrong", "hung", "crashed", "out of memory")


@dataclass(frozen=True)
class Outcome:
    """How a program ended: "right", or one of `KINDS`."""

    seed: int
    kind: str
    operations: int
    text: str = ""
    dependent: int = 0  # launches that might start before the kernel before them had ended
    edges: int = 0  # of graphs, that are so
    early: int = 0  # nodes of graphs with a kernel's early variant

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return asdict(self)


class Report:
    """Counts outcomes, and prints those that are not right as they come."""

    def __init__(self, device: str, every_s: float = 10) -> None:
        self.device, self.every_s = device, every_s
        self.begun = self._printed = time.monotonic()
        self.programs = self.operations = self.dependent = self.edges = self.early = 0
        self.counts = dict.fromkeys(KINDS, 0)
        self.seeds: dict[str, list[int]] = {kind: [] for kind in KINDS}

    @property
    def failed(self) -> int:
        """How many programs were not right."""
        return sum(self.counts.values())

    def add(self, outcome: Outcome) -> None:
        """Count a program."""
        self.programs += 1
        self.operations += outcome.operations
        self.dependent += outcome.dependent
        self.edges += outcome.edges
        self.early += outcome.early
        if outcome.kind != "right":
            self.counts[outcome.kind] += 1
            self.seeds[outcome.kind].append(outcome.seed)
            print(f"{self.device}: {outcome.kind}, seed {outcome.seed}\n{outcome.text}", flush=True)
        if time.monotonic() - self._printed > self.every_s:
            self._printed = time.monotonic()
            print(self, flush=True)

    def __str__(self) -> str:
        counts = ", ".join(f"{kind} {count}" for kind, count in self.counts.items())
        seconds = time.monotonic() - self.begun
        done = f"programs {self.programs}, operations {self.operations}"
        if self.dependent or self.edges:
            done += f", dependent launches {self.dependent} and edges {self.edges}, early variants {self.early}"
        return f"{self.device}: {seconds:.0f} s, {done}, {counts}"

    def end(self) -> int:
        """Print the sum, and return the exit code."""
        print(self, flush=True)
        for kind, seeds in self.seeds.items():
            if seeds:
                print(f"{self.device}: {kind}: seeds {' '.join(map(str, sorted(seeds)))}", flush=True)
        return 1 if self.failed else 0
