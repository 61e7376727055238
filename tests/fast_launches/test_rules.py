"""Rules: which arguments they take, and the bytes that these become."""

import struct

import numpy as np
import pytest

from launchpath import _core
from launchpath._fast import rules
from tests.fast_launches.launches import specialization

I32 = (-(1 << 31), (1 << 31) - 1)


def packed(row: rules.Row, value: object, size: int = 8) -> bytes | None:
    return specialization([row], size).packed((value,))


@pytest.mark.parametrize(
    ("row", "taken", "refused"),
    [
        (
            rules.integer(*I32, 0, (0, 4)),
            [0, 1, -1, 16, I32[0], I32[1]],
            [I32[0] - 1, I32[1] + 1, 1 << 70, True, 1.0, None],
        ),
        (rules.integer(*I32, rules.MULTIPLE, (0, 4)), [0, 16, -16, 1 << 20], [1, 8, -1, -8, 17]),
        (rules.integer(*I32, rules.NO_MULTIPLE, (0, 4)), [1, 8, -1, 17], [0, 16, -32]),
        (rules.integer(*I32, rules.NO_MULTIPLE | rules.NOT_ONE, (0, 4)), [2, -1, 17], [0, 1, 16]),
        (rules.integer(1 << 31, (1 << 63) - 1, 0, (0, 8)), [1 << 31, (1 << 63) - 1], [I32[1], 1 << 63, -1]),
        (
            rules.integer(-(1 << 63), (1 << 63) - 1, rules.WIDE, (0, 8)),
            [1 << 31, I32[0] - 1, -(1 << 63)],
            [*I32, 0, 1 << 63],
        ),
        (rules.integer(1 << 63, (1 << 64) - 1, 0, (0, 8)), [1 << 63, (1 << 64) - 1], [(1 << 63) - 1, 1 << 64, 0, -1]),
        (rules.integer(1 << 63, (1 << 64) - 1, rules.MULTIPLE, (0, 8)), [1 << 63], [(1 << 64) - 1]),
        (rules.integer(1, 1), [1], [0, 2, True, 1.0]),
        (rules.boolean(0), [True, False], [1, 0, None, 1.0, np.True_]),
        (rules.real(0, 4), [1.0, -0.0, float("inf"), float("nan")], [1, True, np.float64(1.0), None]),
        (rules.constant(128), [128], [128.0, 127, "128", None]),
        (rules.constant(1), [1], [True, 1.0, 2]),
        (rules.constant(True), [True], [1, 1.0, False]),
        (rules.constant(0.0), [0.0], [-0.0, 0, False]),
        (rules.constant("ieee"), ["ieee", "".join(["ie", "ee"])], ["tf32", b"ieee"]),
        (
            rules.constant((1, (2.0, "x"))),
            [(1, (2.0, "x"))],
            [(1, (2, "x")), (True, (2.0, "x")), [1, (2.0, "x")], (1,)],
        ),
        (rules.constant(None), [None], [0, False, ""]),
        (rules.scalar(0, 4, np.float32), [np.float32(2)], [2.0, np.float64(2), np.int32(2)]),
    ],
    ids=str,
)
def test_takes(row: rules.Row, taken: list[object], refused: list[object]) -> None:
    assert [value for value in taken if packed(row, value) is None] == []
    assert [value for value in refused if packed(row, value) is not None] == []


@pytest.mark.parametrize(
    ("row", "value", "expected"),
    [
        (rules.integer(*I32, 0, (4, 4)), -5, struct.pack("<xxxxi", -5)),
        (rules.integer(-(1 << 63), (1 << 63) - 1, 0, (0, 8)), -(1 << 40), struct.pack("<q", -(1 << 40))),
        (rules.integer(1 << 63, (1 << 64) - 1, 0, (0, 8)), (1 << 64) - 2, struct.pack("<Q", (1 << 64) - 2)),
        (rules.integer(-128, 127, 0, (3, 1)), -1, b"\0\0\0\xff\0\0\0\0"),
        (rules.boolean(2), True, b"\0\0\1\0\0\0\0\0"),
        (rules.real(0, 8), 1.5, struct.pack("<d", 1.5)),
        (rules.real(4, 4), 0.1, struct.pack("<xxxxf", 0.1)),
        (rules.real(0, 2), 0.333, struct.pack("<exxxxxx", 0.333)),
        (rules.real(0, 2, brain=True), 0.1, struct.pack("<f", 0.1)[2:] + bytes(6)),
        (rules.scalar(0, 8, np.int64), np.int64(-7), struct.pack("<q", -7)),
        (rules.constant("x"), "x", bytes(8)),
    ],
    ids=str,
)
def test_bytes(row: rules.Row, value: object, expected: bytes) -> None:
    assert packed(row, value) == expected


def test_half_that_is_too_large_goes_the_original_way() -> None:
    assert packed(rules.real(0, 2), 1e6) is None


def test_numpy_scalars_are_where_they_are_read() -> None:
    assert _core.fast_scalars_known(
        [(np.float32(1.5), np.float32(1.5).tobytes()), (np.int64(9), np.int64(9).tobytes())]
    )
    assert not _core.fast_scalars_known([(np.float32(1.5), np.float32(2.5).tobytes())])


def test_all_rules_must_take_their_arguments() -> None:
    made = specialization([rules.integer(*I32, 0, (0, 4)), rules.real(8, 8)], 16)
    assert made.packed((3, 2.5)) == struct.pack("<ixxxxd", 3, 2.5)
    assert made.packed((3, 2)) is None
    assert made.packed((3,)) is None


def test_values_left_out_are_packed_beforehand() -> None:
    rest = [(rules.integer(*I32, 0, (4, 4)), 9), (rules.constant("x"), "x")]
    made = _core.FastSpecialization("k", 1, 0, (32, 1, 1), 0, 8, [rules.integer(*I32, 0, (0, 4))], rest)
    assert made.packed((5,)) == struct.pack("<ii", 5, 9)


def test_values_left_out_must_fit_their_rules() -> None:
    with pytest.raises(ValueError, match="default value 1.5"):
        _core.FastSpecialization("k", 1, 0, (32, 1, 1), 0, 8, [], [(rules.integer(*I32, 0, (4, 4)), 1.5)])


def test_rules_stay_inside_the_arguments() -> None:
    with pytest.raises(ValueError, match="within 8 bytes, got 4 at 6"):
        specialization([rules.integer(*I32, 0, (6, 4))], 8)
    with pytest.raises(ValueError, match="at most 4096 bytes"):
        specialization([], 5000)
