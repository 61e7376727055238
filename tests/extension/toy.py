"""A driver under another name: the simulated one's folder, with other words."""

from __future__ import annotations

from pathlib import Path

WORDS = {"Simulated": "Toy", "simulated": "toyed", "sim_": "toy_", "SIM_": "TOY_"}
INCLUDES = "# layers: tables over"  # the next block of includes


def renamed(text: str) -> str:
    """The text with the driver's own words; tests know the names of its errors."""
    for word, other in WORDS.items():
        text = text.replace(word, other)
    return text.replace('b"TOY_', 'b"SIM_')


def add(package: Path) -> None:
    """Add the driver to a copy of the package: its folder, and the block of `core.pyx` that includes it."""
    folder = package / "_core" / "driver"
    (folder / "toyed").mkdir()
    for path in (folder / "simulated").iterdir():
        (folder / "toyed" / path.name).write_text(renamed(path.read_text()))
    core = package / "_core" / "core.pyx"
    text = core.read_text()
    lines = [line for line in text.splitlines() if line.startswith('include "driver/simulated/')]
    block = "".join(f"{renamed(line)}\n" for line in lines)
    core.write_text(text.replace(INCLUDES, f"# driver/toyed: the toy.\n{block}\n{INCLUDES}", 1))
