"""Random programs of a warp's lanes that exchange values through shared memory in step, and what they have to give."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

import numpy as np

WORDS = 64  # of each warp: two for a lane


class Lanes:
    """The state of all threads of a block, as the simulation has it."""

    def __init__(self, x: np.ndarray) -> None:
        threads = len(x)
        self.x, self.thread = x.copy(), np.arange(threads)
        self.lane, self.base = self.thread % 32, self.thread // 32 * WORDS
        self.memory = np.zeros((threads + 31) // 32 * WORDS, x.dtype)


class Place(NamedTuple):
    """An element of the warp's shared memory: its text, and its index for all lanes in an iteration of the loop."""

    text: str
    index: Callable[[Lanes, int], np.ndarray]


class Statement(NamedTuple):
    """A statement: its text, and its effect on the lanes that a mask selects, in an iteration of the loop."""

    text: str
    run: Callable[[Lanes, np.ndarray, int], None]


class Program:
    """A random program.

    Parameters
    ----------
    seed : int
    fence : str
        What stands behind each access, where memory is not volatile; "" for volatile memory.
    """

    def __init__(self, seed: int, fence: str) -> None:
        self._random, self._fence = Random(seed), fence
        self._statements = [self._statement(0) for _ in range(self._random.randrange(4, 12))]

    def source(self, name: str, kind: str) -> str:
        """Write it as a kernel on an element type."""
        lines = "\n  ".join(statement.text for statement in self._statements)
        return f"""__global__ void {name}({kind}* d) {{
  __shared__ {"" if self._fence else "volatile "}{kind} s[2048];
  int t = threadIdx.x, lane = t % 32, base = t / 32 * {WORDS}, i = 0;
  for (int k = t; k < 2048; k += blockDim.x) s[k] = 0;
  __syncthreads();
  {kind} x = d[t], y = x;
  {lines}
  d[t] = x + i + 0 * y;
}}
"""

    def run(self, x: np.ndarray) -> np.ndarray:
        """Simulate it for a block of threads."""
        lanes, every = Lanes(x), np.ones(len(x), bool)
        for statement in self._statements:
            statement.run(lanes, every, 0)
        return lanes.x

    def _statement(self, depth: int) -> Statement:
        choices = [self._read, self._write, self._copy, self._write]
        choices += [self._branch, self._loop] if depth < 2 else []
        choices += [self._barrier] if depth == 0 else []
        return self._random.choice(choices)(depth)

    def _place(self, written: bool) -> Place:
        """Choose an element; for writes each lane's is another."""
        some, bit = self._random.randrange(32), self._random.randrange(2)
        places = [
            Place(f"s[base + 2 * lane + {bit}]", lambda lanes, i: lanes.base + 2 * lanes.lane + bit),
            Place(f"s[base + lane + {32 * bit}]", lambda lanes, i: lanes.base + lanes.lane + 32 * bit),
            Place(
                f"s[base + 2 * (lane ^ {some}) + {bit}]", lambda lanes, i: lanes.base + 2 * (lanes.lane ^ some) + bit
            ),
            Place(f"s[base + (lane + {some} + i) % 64]", lambda lanes, i: lanes.base + (lanes.lane + some + i) % WORDS),
        ]
        if not written:
            places += [
                Place("s[base + (x & 63)]", lambda lanes, i: lanes.base + (lanes.x & 63).astype(int)),
                Place(f"s[base + {some}]", lambda lanes, i: lanes.base + some),
            ]
        return self._random.choice(places)

    def _read(self, _: int) -> Statement:
        place, factor = self._place(False), self._random.choice([3, 5])

        def run(lanes: Lanes, mask: np.ndarray, i: int) -> None:
            read = lanes.memory[place.index(lanes, i)]
            lanes.x[mask] = (lanes.x * lanes.x.dtype.type(factor) + read)[mask]

        return Statement(f"x = x * {factor} + {place.text}; {self._fence}", run)

    def _write(self, _: int) -> Statement:
        place, more = self._place(True), self._random.randrange(100)

        def run(lanes: Lanes, mask: np.ndarray, i: int) -> None:
            lanes.memory[place.index(lanes, i)[mask]] = (lanes.x + lanes.x.dtype.type(more))[mask]

        return Statement(f"{place.text} = x + {more}; {self._fence}", run)

    def _copy(self, _: int) -> Statement:
        source, target = self._place(False), self._place(True)

        def run(lanes: Lanes, mask: np.ndarray, i: int) -> None:
            read = lanes.memory[source.index(lanes, i)]
            lanes.memory[target.index(lanes, i)[mask]] += read[mask]

        return Statement(
            f"y = {source.text}; {self._fence} y += {target.text}; {self._fence} {target.text} = y; {self._fence}", run
        )

    def _branch(self, depth: int) -> Statement:
        inner, some = [self._statement(depth + 1) for _ in range(2)], self._random.randrange(1, 32)
        conditions = {
            f"lane < {some}": lambda lanes: lanes.lane < some,
            f"t < {4 * some}": lambda lanes: lanes.thread < 4 * some,
            "!(x & 2)": lambda lanes: (lanes.x & 2) == 0,
        }
        condition = self._random.choice([*conditions, f"lane < {some}"])

        def run(lanes: Lanes, mask: np.ndarray, i: int) -> None:
            mask = mask & conditions[condition](lanes)
            for statement in inner:
                statement.run(lanes, mask, i)

        return Statement(f"if ({condition}) {{ {' '.join(s.text for s in inner)} }}", run)

    def _barrier(self, _: int) -> Statement:
        return Statement("__syncthreads();", lambda lanes, mask, i: None)

    def _loop(self, depth: int) -> Statement:
        inner, some = [self._statement(2) for _ in range(2)], self._random.randrange(1, 6)
        by_lane = self._random.random() < 0.4

        def run(lanes: Lanes, mask: np.ndarray, i: int) -> None:
            counts = lanes.lane % some if by_lane else np.full(len(lanes.x), some)
            for step in range(some):
                for statement in inner:
                    statement.run(lanes, mask & (step < counts), step)

        count = f"lane % {some}" if by_lane else str(some)
        return Statement(f"for (int i = 0; i < {count}; i++) {{ {' '.join(s.text for s in inner)} }}", run)
