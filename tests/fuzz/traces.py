"""Crafted and damaged traces into every output: ``python -m tests.fuzz.traces 5000``, with a second number as the seed.

Prints the largest memory, time and size of each output. One in a hundred traces is of megabytes.
"""

import sys
import tempfile
from pathlib import Path
from random import Random

from tests.fuzz.crafted import trace
from tests.fuzz.outputs import Taken, outputs, warm
from tests.trace.program import write

HEAVY = 100  # of so many traces one is of megabytes


def main(count: int, seed: int) -> int:
    """Make all outputs of `count` traces; gives the exit code."""
    wrong, worst = 0, dict[str, list[tuple[float, int]]]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "t", 1, 20)
        warm(folder, (folder / "t").read_bytes())
        for number in range(count):
            data = trace(Random(f"{seed} traces {number}"), number % HEAVY == HEAVY - 1)
            try:
                taken = outputs(data, folder)
            except Exception as error:
                wrong += 1
                print(
                    f"WRONG {seed} {number} ({len(data)} bytes): {type(error).__name__}: {error!s:.300} {getattr(error, '__notes__', '')}",
                    flush=True,
                )
                continue
            _note(worst, taken, number)
            if (number + 1) % 500 == 0:
                print(f"{number + 1} traces, {wrong} wrong", flush=True)
    for output, values in worst.items():
        units = zip(values, ("MiB", "s", "MB written"), strict=True)
        print(output, ", ".join(f"{value:.1f} {unit} (trace {number})" for (value, number), unit in units))
    print(f"{count} traces of seed {seed}, {wrong} wrong")
    return int(wrong > 0)


def _note(worst: dict[str, list[tuple[float, int]]], taken: list[Taken], number: int) -> None:
    for each in taken:
        values = [(each.memory / (1 << 20), number), (each.seconds, number), (each.written / 1e6, number)]
        worst[each.output] = list(map(max, worst.get(each.output, values), values))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
