"""A step of a random program: what it does, by name, and with which numbers."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Step:
    """One operation. Streams, arrays, events, holds and results are numbers of the part that it belongs to."""

    name: str
    arguments: dict[str, Any]

    def __str__(self) -> str:
        return " ".join([self.name, *(f"{key}={value}" for key, value in self.arguments.items())])
