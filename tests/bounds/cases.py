"""The kernels of ``outside.cu`` and ``shuffled.cu``: how each is launched, and what is said of its access."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import launchpath as lp

FOLDER = Path(__file__).parent
FLOATS = "float32"


@dataclass(frozen=True)
class Case:
    """A kernel with an access outside.

    Attributes
    ----------
    name : str
        The kernel's, and the words at its line.
    launch : tuple
        Grid and block, and bytes of dynamic shared memory.
    arguments : callable
        Makes them.
    expected : str
        Part of the message.
    kernel : str
        Its name in the program, if that is another.
    file : str
    source : str
        The file that the access is in, if it is another.
    """

    name: str
    launch: tuple[int, int, int]
    arguments: Callable[[], tuple[Any, ...]]
    expected: str
    kernel: str = ""
    file: str = "outside.cu"
    source: str = ""

    @property
    def place(self) -> tuple[str, int]:
        """File and line of the access."""
        name = self.source or self.file
        lines = (FOLDER / name).read_text().splitlines()
        return name, 1 + next(at for at, line in enumerate(lines) if line.endswith(f"// case: {self.name}"))


def _zeros(*counts: int, dtype: str = FLOATS) -> tuple[lp.Array, ...]:
    return tuple(lp.zeros(count, dtype) for count in counts)


def _row(n: int, address: int) -> np.ndarray:
    return np.array((n, address), np.dtype([("n", "i4"), ("values", "u8")], align=True))


_kept: list[lp.Array] = []


def _pointer(n: int) -> tuple[Any, ...]:
    _kept.append(lp.zeros(n, FLOATS))
    return (_row(n, _kept[-1].pointer),)


def _freed() -> tuple[Any, ...]:
    out, array = _zeros(1, 8)  # in this order: what is made later may take the memory
    address = array.pointer
    array.free()
    return address, out


def _rows() -> tuple[Any, ...]:
    _kept.append(lp.zeros((3, 8), FLOATS))
    return lp.asarray(_kept[-1].pointer + 32 * np.arange(3, dtype="u8")), 2, 8


CASES = [
    Case("past_end", (4, 256, 0), lambda: _zeros(1000), "write of 4 bytes outside of array 'out': expected an index of "
         "0 to 999, got 1000, in thread (232, 0, 0) of block (3, 0, 0)"),
    Case("before_begin", (1, 32, 0), lambda: _zeros(32), "array 'out': expected an index of 0 to 31, got -1"),
    Case("static_shared", (1, 64, 0), lambda: (*_zeros(64), 1), "read of 4 bytes outside of shared array 'tile': "
         "expected an index of 0 to 63, got 64"),
    Case("dynamic_shared", (1, 16, 64), lambda: _zeros(16), "outside of dynamic shared memory: expected an index of 0 to "
         "15, got 16"),
    Case("shared_2d", (1, 1, 0), lambda: (*_zeros(1), 16), "shared array 'tile': expected an index of 0 to 255, got 256"),
    Case("member_array", (1, 1, 0), lambda: (lp.zeros(40, FLOATS), 9, 4), "array 'particles': expected an index of 0 to "
         "39, got 40"),
    Case("half_outside", (1, 4, 0), lambda: _zeros(14, 4), "outside of array 'from'"),
    Case("atomic", (1, 1, 0), lambda: (lp.zeros(256, "int32"), 256), "atomic operation of 4 bytes outside of array "
         "'counts': expected an index of 0 to 255, got 256"),
    Case("shared_atomic", (1, 32, 0), lambda: (lp.zeros(32, "int32"), 1), "atomic operation of 4 bytes outside of shared "
         "array 'counts': expected an index of 0 to 31, got 32"),
    Case("constant_table", (1, 3, 0), lambda: (*_zeros(3), 2), "read of 4 bytes outside of variable 'coefficients': "
         "expected an index of 0 to 3, got 4"),
    Case("device_variable", (1, 1, 0), lambda: (10,), "variable 'table': expected an index of 0 to 9, got 10"),
    Case("pointer_in_struct", (1, 1, 0), lambda: _pointer(8), "array of 'row': expected an index of 0 to 7, got 8"),
    Case("cast_from_bytes", (1, 1, 0), lambda: (lp.zeros(10, "int8"), 8), "array 'bytes': expected an index of 0 to 1, "
         "got 2"),
    Case("first_of_several", (1, 1, 0), lambda: (*_zeros(8), 8), "read of 4 bytes outside of array 'out': expected an index "
         "of 0 to 7, got 8"),
    Case("before_return", (1, 32, 0), lambda: (*_zeros(32), 32), "array 'out': expected an index of 0 to 31, got 32, in "
         "thread (5, 0, 0)"),
    Case("value_of_a_function", (1, 1, 0), lambda: (*_zeros(8), 8), "array 'out': expected an index of 0 to 7, got 8"),
    Case("device_function", (1, 1, 0), lambda: (*_zeros(8), 8), "array 'out': expected an index of 0 to 7, got 8"),
    Case("lambda", (1, 8, 0), lambda: (*_zeros(8), 1), "array 'out': expected an index of 0 to 7, got 8"),
    Case("header", (1, 8, 0), lambda: _zeros(8, 8), "array 'from': expected an index of 0 to 7, got 8",
         source="outside.h"),
    Case("loop", (1, 1, 0), lambda: (*_zeros(8, 1), 8), "array 'from': expected an index of 0 to 7, got 8"),
    Case("freed", (1, 1, 0), _freed, "outside of all arrays: expected an address in an array, got"),
    Case("null", (1, 1, 0), lambda: (_row(2, 0),), "got 0x8, a null pointer"),
    Case("of_template", (1, 8, 0), lambda: _zeros(12, dtype="int16"), "write of 2 bytes outside of array 'out': expected "
         "an index of 0 to 11, got 12", kernel="of_template<short, 5>"),
    Case("struct_copy", (1, 4, 0), lambda: (lp.zeros(27, "float64"), lp.zeros(36, "float64")), "outside of array 'from'"),
    Case("pointers_in_memory", (1, 1, 0), _rows, "write of 4 bytes outside of its array: expected an index of 0 to 23, "
         "got 24"),
    Case("odd_bytes", (1, 8, 0), lambda: _zeros(7, dtype="uint8"), "write of 1 bytes outside of array 'out': expected an "
         "index of 0 to 6, got 7"),
    Case("either", (1, 1, 0), lambda: (*_zeros(5, 50), 5), "array 'left': expected an index of 0 to 4, got 5"),
    Case("moving", (1, 1, 0), lambda: (*_zeros(8, 1), 8), "array 'from': expected an index of 0 to 7, got 8"),
    Case("shuffle", (1, 64, 0), lambda: (*_zeros(2), 1), "array 'out': expected an index of 0 to 1, got 2",
         file="shuffled.cu"),
]  # fmt: skip


def outcome(case: Case, program: lp.Program) -> dict[str, Any]:
    """Launch a kernel, and say what became of it."""
    grid, block, shared = case.launch
    arguments = case.arguments()
    try:
        program[case.kernel or case.name][grid, block, None, shared](*arguments)
    except lp.BoundsError as error:
        return {"message": str(error), "file": error.file, "line": error.line, "kernel": error.kernel}
    return {"message": "", "file": "", "line": 0, "kernel": ""}


def main(device: str, files: list[str]) -> None:
    """Run all kernels of some files on a device, and print what became of them as JSON."""
    with lp.device(device):
        programs = {file: lp.compile(path=FOLDER / file) for file in files}
        print(json.dumps({case.name: outcome(case, programs[case.file]) for case in CASES if case.file in files}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
