"""Random kernels with barriers: in branches, loops and functions that all threads of a block come to, and ends before them.

Each is built as statements that can both write themselves in CUDA C++ and run on NumPy's arrays, an element a thread.
``python -m tests.conformance.barrier_kernels --device pocl --kernels 2000`` tries as many as one likes, ``--seed 123
--kernels 1`` that one. The exit code is 1 if a kernel was wrong without a warning.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

import launchpath as lp

THREADS = 32
ARGUMENTS = ((0xFF, 1), (0x5A, 0), (0x35, 2))
_BITS = 8
_BLOCKS = 3
_TOGETHER = 10  # kernels of a program
_U = np.uint32


class Left(Exception):
    """All threads return from a function, or from the kernel."""


@dataclass
class Block:
    """The threads of a block while they run: the two variables of each, shared memory, and what they have written."""

    n: int
    m: int
    index: int
    shared: np.ndarray = field(default_factory=lambda: np.zeros(THREADS, _U))
    out: np.ndarray = field(default_factory=lambda: np.zeros(THREADS, _U))
    alive: np.ndarray = field(default_factory=lambda: np.ones(THREADS, bool))

    def __post_init__(self) -> None:
        thread = np.arange(THREADS, dtype=_U)
        self.values = {"a": thread * _U(7) + _U(self.index), "b": thread ^ _U(5)}

    def set(self, name: str, value: np.ndarray, active: np.ndarray) -> None:
        self.values[name] = np.where(active & self.alive, value, self.values[name])


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
        block.out = np.where(active & block.alive, block.out + block.values[self.name], block.out)


@dataclass(frozen=True)
class Exchange:
    """Add another thread's variable to the thread's own: all threads of the block take part."""

    name: str
    distance: int

    def lines(self) -> list[str]:
        threads = "blockDim.x" if self.distance % 2 else str(THREADS)  # compilers make other code of the constant
        neighbour = f"shared[(threadIdx.x + {self.distance}) % {threads}]"
        write = f"shared[threadIdx.x] = {self.name};"
        return ["__syncthreads();", write, "__syncthreads();", f"{self.name} += {neighbour};"]

    def run(self, block: Block, active: np.ndarray) -> None:
        block.shared = np.where(block.alive, block.values[self.name], block.shared)
        block.set(self.name, block.values[self.name] + np.roll(block.shared, -self.distance), active)


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
class End:
    """The end of a thread, by its own value."""

    def lines(self) -> list[str]:
        return ["return;"]

    def run(self, block: Block, active: np.ndarray) -> None:
        block.alive &= ~active


@dataclass(frozen=True)
class Condition:
    """A condition that all threads of a block have the same of: a bit of an argument or of memory, or the block's place."""

    kind: str
    bit: int

    def text(self) -> str:
        texts = {"argument": "n >> {} & 1", "memory": "flags[{}]", "block": "(blockIdx.x + {}) % 3 == 0"}
        return texts[self.kind].format(self.bit)

    def holds(self, block: Block) -> bool:
        return (block.index + self.bit) % 3 == 0 if self.kind == "block" else bool(block.n >> self.bit & 1)


@dataclass(frozen=True)
class AllThreads:
    """A branch that all threads of a block agree on."""

    condition: Condition
    body: Sequence[Statement]
    otherwise: Sequence[Statement] = ()

    def lines(self) -> list[str]:
        return _branch(self.condition.text(), self.body, self.otherwise)

    def run(self, block: Block, active: np.ndarray) -> None:
        _run(self.body if self.condition.holds(block) else self.otherwise, block, active)


@dataclass(frozen=True)
class Guard:
    """A return of all threads."""

    condition: Condition

    def lines(self) -> list[str]:
        return [f"if ({self.condition.text()}) return;"]

    def run(self, block: Block, active: np.ndarray) -> None:
        if self.condition.holds(block):
            raise Left


@dataclass(frozen=True)
class Loop:
    """A loop of `rounds` and the argument `m`; with an odd `n` it ends before a part of the last round."""

    depth: int
    rounds: int
    in_memory: bool
    body: Sequence[Statement]
    rest: Sequence[Statement]

    def lines(self) -> list[str]:
        name, rounds = f"i{self.depth}", f"flags[{_BITS}]" if self.in_memory else "m"
        end = [f"if ({name} == m + {self.rounds - 1} && (n & 1)) break;"] if self.rest else []
        inside = [f"a += {name};", *_lines(self.body), *end, *_lines(self.rest)]
        return [f"for (int {name} = 0; {name} < {rounds} + {self.rounds}; ++{name}) {{", *_indented(inside), "}"]

    def run(self, block: Block, active: np.ndarray) -> None:
        for i in range(block.m + self.rounds):
            block.set("a", block.values["a"] + _U(i), active)
            _run(self.body, block, active)
            if self.rest and i == block.m + self.rounds - 1 and block.n & 1:
                break
            _run(self.rest, block, active)


@dataclass(frozen=True)
class Call:
    """A call of a function of the kernel's."""

    name: str
    body: Sequence[Statement]
    inlined: bool

    def definition(self) -> str:
        head = "__device__ " + ("" if self.inlined else "__noinline__ ")
        head += f"void {self.name}(unsigned &a, unsigned &b, unsigned *shared, {PARAMETERS}) {{"
        return "\n".join([head, *_indented(_lines(self.body)), "}\n"])

    def lines(self) -> list[str]:
        return [f"{self.name}(a, b, shared, n, m, flags, out);"]

    def run(self, block: Block, active: np.ndarray) -> None:
        with contextlib.suppress(Left):
            _run(self.body, block, active)


PARAMETERS = "int n, int m, const int *flags, unsigned *out"
Statement = Assign | Add | Exchange | SomeThreads | End | AllThreads | Guard | Loop | Call


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
    """A random kernel for blocks of `THREADS` threads, with branches so deep; threads end early in one of two."""

    def __init__(self, seed: int, depth: int = 2) -> None:
        self._random = random.Random(seed)
        self.name = f"random_{seed}"
        self._functions: list[Call] = []
        self._ends = self._random.random() < 0.5
        self.statements = self._together(depth)

    def source(self) -> str:
        lines = [
            f"__shared__ unsigned shared[{THREADS}];",
            "shared[threadIdx.x] = 0;",
            "unsigned a = threadIdx.x * 7u + blockIdx.x, b = threadIdx.x ^ 5u;",
            *_lines([*self.statements, Add("a"), Add("b")]),
        ]
        head = f'extern "C" __global__ void {self.name}({PARAMETERS}) {{'
        return "".join([call.definition() for call in self._functions] + ["\n".join([head, *_indented(lines), "}\n"])])

    def expected(self, n: int, m: int, blocks: int) -> np.ndarray:
        """Give what the launch adds to zeros."""
        results = []
        for index in range(blocks):
            block = Block(n, m, index)
            with contextlib.suppress(Left):
                _run([*self.statements, Add("a"), Add("b")], block, np.ones(THREADS, bool))
            results.append(block.out)
        return np.concatenate(results)

    def wrong(self, program: lp.Program, device: lp.Device) -> list[tuple[int, int]]:
        """List the arguments `n` and `m` with which the kernel gives something else."""
        wrong = []
        for n, m in ARGUMENTS:
            out = lp.zeros(_BLOCKS * THREADS, "uint32", device)
            flags = lp.asarray([n >> bit & 1 for bit in range(_BITS)] + [m], "int32", device)
            program[self.name][_BLOCKS, THREADS](n, m, flags, out)
            if not np.array_equal(out.to_numpy(), self.expected(n, m, _BLOCKS)):
                wrong.append((n, m))
        return wrong

    def _name(self) -> str:
        return self._random.choice("ab")

    def _condition(self) -> Condition:
        return Condition(
            self._random.choice(["argument", "argument", "memory", "block"]), self._random.randrange(_BITS)
        )

    def _together(self, depth: int, around: int = 0, *, in_function: bool = False) -> list[Statement]:
        """Draw what all threads of a block do."""
        draw, statements = self._random, list[Statement]()

        def deeper(loops: int = 0) -> list[Statement]:
            return self._together(depth - 1, around + loops, in_function=in_function)

        for _ in range(draw.randint(1, 3)):
            kind = draw.random()
            if depth and kind < 0.25:
                statements.append(AllThreads(self._condition(), deeper(), deeper() if draw.random() < 0.4 else []))
            elif depth and kind < 0.42:
                rounds, in_memory, body = draw.randint(1, 3), draw.random() < 0.3, deeper(1)
                statements.append(Loop(around, rounds, in_memory, body, deeper(1) if draw.random() < 0.5 else []))
            elif kind < 0.5:
                statements.append(Guard(self._condition()))
            elif depth and not in_function and kind < 0.55:
                name = f"{self.name}_{len(self._functions)}"
                self._functions.append(Call(name, self._together(depth - 1, in_function=True), draw.random() < 0.5))
                statements.append(self._functions[-1])
            elif kind < 0.78:
                statements.append(Exchange(self._name(), draw.randint(1, THREADS - 1)))
            elif self._ends and not in_function and kind < 0.88:
                statements.append(self._end())
            else:
                statements += self._apart(2, ends=self._ends and not in_function)
        return statements

    def _end(self) -> Statement:
        """Draw an end of some threads, behind writes or not."""
        draw = self._random
        before = self._apart(1, ends=False) if draw.random() < 0.4 else []
        otherwise = self._apart(1, ends=False) if draw.random() < 0.2 else []
        return SomeThreads(self._name(), draw.randint(2, 7), [*before, End()], otherwise)

    def _apart(self, depth: int, *, ends: bool) -> list[Statement]:
        """Draw what some threads do."""
        draw, statements = self._random, list[Statement]()
        for _ in range(draw.randint(1, 2)):
            kind = draw.random()
            if depth and kind < 0.5:
                otherwise = self._apart(depth - 1, ends=ends) if draw.random() < 0.4 else []
                body = self._apart(depth - 1, ends=ends)
                statements.append(SomeThreads(self._name(), draw.randint(2, 5), body, otherwise))
            elif ends and kind < 0.56:
                statements.append(self._end())
            elif kind < 0.78:
                statements.append(Add(self._name()))
            else:
                statements.append(Assign(self._name(), self._name(), draw.randint(1, 9), self._name()))
        return statements


def programs(kernels: Iterable[Kernel], device: lp.Device) -> Iterator[tuple[lp.Program, list[Kernel]]]:
    """Compile kernels, several together."""
    waiting = list(kernels)
    for at in range(0, len(waiting), _TOGETHER):
        together = waiting[at : at + _TOGETHER]
        yield lp.compile("".join(kernel.source() for kernel in together), device), together


def main() -> int:
    """Try random kernels, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.barrier_kernels", description=__doc__)
    parser.add_argument("--device", default="intel", help="words for launchpath.device")
    parser.add_argument("--kernels", type=int, default=1000, help="how many (1000)")
    parser.add_argument("--seed", type=int, default=0, help="of the first (0)")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    device = lp.device(options.device)
    told = silent = 0
    for program, kernels in programs(map(Kernel, range(options.seed, options.seed + options.kernels)), device):
        for kernel in kernels:
            is_told = f"kernel '{kernel.name}'" in program.log
            told += is_told
            if (wrong := kernel.wrong(program, device)) and not is_told:
                silent += 1
                print(f"wrong with {wrong}:\n{kernel.source()}", flush=True)
    print(
        f"{options.device}: {options.kernels} kernels from seed {options.seed}: {silent} wrong, {told} with a warning"
    )
    return bool(silent)


if __name__ == "__main__":
    sys.exit(main())
