"""Random kernels with barriers: in branches and loops that all threads of a block take, between code that only some take.

Each is built as statements that can both write themselves in CUDA C++ and run on NumPy's arrays, an element a thread.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

THREADS = 32
_U = np.uint32


@dataclass
class Block:
    """The threads of a block while they run: the two variables of each, shared memory, and what they have written."""

    n: int
    m: int
    index: int
    shared: np.ndarray = field(default_factory=lambda: np.zeros(THREADS, _U))
    out: np.ndarray = field(default_factory=lambda: np.zeros(THREADS, _U))

    def __post_init__(self) -> None:
        thread = np.arange(THREADS, dtype=_U)
        self.values = {"a": thread * _U(7) + _U(self.index), "b": thread ^ _U(5)}

    def set(self, name: str, value: np.ndarray, active: np.ndarray) -> None:
        self.values[name] = np.where(active, value, self.values[name])


@dataclass(frozen=True)
class Assign:
    to: str
    left: str
    factor: int
    right: str

    def lines(self) -> list[str]:
        return [f"{self.to} = {self.left} * {self.factor}u + {self.right};"]

    def run(self, block: Block, active: np.ndarray) -> None:
        block.set(self.to, block.values[self.left] * _U(self.factor) + block.values[self.right], active)


@dataclass(frozen=True)
class Add:
    """Add a variable to the thread's element of the result."""

    name: str

    def lines(self) -> list[str]:
        return [f"out[blockIdx.x * {THREADS} + threadIdx.x] += {self.name};"]

    def run(self, block: Block, active: np.ndarray) -> None:
        block.out = np.where(active, block.out + block.values[self.name], block.out)


@dataclass(frozen=True)
class Exchange:
    """Add another thread's variable to the thread's own: all threads of the block take part."""

    name: str
    distance: int

    def lines(self) -> list[str]:
        neighbour = f"shared[(threadIdx.x + {self.distance}) % {THREADS}]"
        write = f"shared[threadIdx.x] = {self.name};"
        return ["__syncthreads();", write, "__syncthreads();", f"{self.name} += {neighbour};"]

    def run(self, block: Block, active: np.ndarray) -> None:
        block.shared = block.values[self.name]
        block.set(self.name, block.shared + np.roll(block.shared, -self.distance), active)


@dataclass(frozen=True)
class SomeThreads:
    """A branch by a thread's own value."""

    name: str
    divisor: int
    body: Sequence[Statement]
    otherwise: Sequence[Statement] = ()

    def lines(self) -> list[str]:
        return _branch(f"{self.name} % {self.divisor}u == 0", self.body, self.otherwise)

    def run(self, block: Block, active: np.ndarray) -> None:
        chosen = block.values[self.name] % _U(self.divisor) == 0
        _run(self.body, block, active & chosen)
        _run(self.otherwise, block, active & ~chosen)


@dataclass(frozen=True)
class AllThreads:
    """A branch by a bit of the argument `n`."""

    bit: int
    body: Sequence[Statement]
    otherwise: Sequence[Statement] = ()

    def lines(self) -> list[str]:
        return _branch(f"n >> {self.bit} & 1", self.body, self.otherwise)

    def run(self, block: Block, active: np.ndarray) -> None:
        _run(self.body if block.n >> self.bit & 1 else self.otherwise, block, active)


@dataclass(frozen=True)
class Loop:
    """A loop of `rounds` and the argument `m`; with an odd `n` it ends before a part of the last round."""

    depth: int
    rounds: int
    body: Sequence[Statement]
    rest: Sequence[Statement]

    def lines(self) -> list[str]:
        name = f"i{self.depth}"
        end = [f"if ({name} == m + {self.rounds - 1} && (n & 1)) break;"] if self.rest else []
        inside = [f"a += {name};", *_lines(self.body), *end, *_lines(self.rest)]
        return [f"for (int {name} = 0; {name} < m + {self.rounds}; ++{name}) {{", *_indented(inside), "}"]

    def run(self, block: Block, active: np.ndarray) -> None:
        for i in range(block.m + self.rounds):
            block.set("a", block.values["a"] + _U(i), active)
            _run(self.body, block, active)
            if self.rest and i == block.m + self.rounds - 1 and block.n & 1:
                break
            _run(self.rest, block, active)


Statement = Assign | Add | Exchange | SomeThreads | AllThreads | Loop


def _run(statements: Sequence[Statement], block: Block, active: np.ndarray) -> None:
    for statement in statements:
        statement.run(block, active)


def _lines(statements: Sequence[Statement]) -> list[str]:
    return [line for statement in statements for line in statement.lines()]


def _indented(lines: list[str]) -> list[str]:
    return ["  " + line for line in lines]


def _branch(condition: str, body: Sequence[Statement], otherwise: Sequence[Statement]) -> list[str]:
    end = ["} else {", *_indented(_lines(otherwise)), "}"] if otherwise else ["}"]
    return [f"if ({condition}) {{", *_indented(_lines(body)), *end]


class Kernel:
    """A random kernel ``(int n, int m, unsigned *out)`` for blocks of `THREADS` threads, with branches so deep."""

    def __init__(self, seed: int, depth: int) -> None:
        self._random = random.Random(seed)
        self.name = f"random_{seed}"
        self.statements = self._together(depth)

    def source(self) -> str:
        lines = [
            f"__shared__ unsigned shared[{THREADS}];",
            "unsigned a = threadIdx.x * 7u + blockIdx.x, b = threadIdx.x ^ 5u;",
            *_lines([*self.statements, Add("a"), Add("b")]),
        ]
        head = f'extern "C" __global__ void {self.name}(int n, int m, unsigned *out) {{'
        return "\n".join([head, *_indented(lines), "}\n"])

    def expected(self, n: int, m: int, blocks: int) -> np.ndarray:
        """Give what the launch adds to zeros."""
        results = []
        for index in range(blocks):
            block = Block(n, m, index)
            _run([*self.statements, Add("a"), Add("b")], block, np.ones(THREADS, bool))
            results.append(block.out)
        return np.concatenate(results)

    def _name(self) -> str:
        return self._random.choice("ab")

    def _together(self, depth: int, around: int = 0) -> list[Statement]:
        """Draw what all threads of a block do."""
        draw, statements = self._random, list[Statement]()
        for _ in range(draw.randint(1, 3)):
            kind = draw.random()
            if depth and kind < 0.3:
                otherwise = self._together(depth - 1, around) if draw.random() < 0.4 else []
                statements.append(AllThreads(draw.randint(0, 7), self._together(depth - 1, around), otherwise))
            elif depth and kind < 0.5:
                body, rest = self._together(depth - 1, around + 1), []
                if draw.random() < 0.5:
                    rest = self._together(depth - 1, around + 1)
                statements.append(Loop(around, draw.randint(1, 3), body, rest))
            elif kind < 0.75:
                statements.append(Exchange(self._name(), draw.randint(1, THREADS - 1)))
            else:
                statements += self._apart(2)
        return statements

    def _apart(self, depth: int) -> list[Statement]:
        """Draw what some threads do."""
        draw, statements = self._random, list[Statement]()
        for _ in range(draw.randint(1, 2)):
            kind = draw.random()
            if depth and kind < 0.5:
                otherwise = self._apart(depth - 1) if draw.random() < 0.4 else []
                statements.append(SomeThreads(self._name(), draw.randint(2, 5), self._apart(depth - 1), otherwise))
            elif kind < 0.75:
                statements.append(Add(self._name()))
            else:
                statements.append(Assign(self._name(), self._name(), draw.randint(1, 9), self._name()))
        return statements
