"""How much of a program a CPU's runtime vectorizes: the largest kernels stay as they are, beyond a time."""

import pytest

from launchpath._compiler.spirv.enumerants import Decoration, ExecutionMode
from launchpath._compiler.spirv.opcodes import Op
from launchpath._compiler.spirv.prepare import Prepared, prepare
from launchpath._compiler.spirv.runtime import vectorization
from tests.unit.support.spirv_source import compiled

pytestmark = pytest.mark.compiles

SOURCE = """
PARAMETERS(24)
__attribute__((device, noinline, annotate("__global__"))) void body(int *x) { x[1] += x[2] * x[3]; x[4] += x[5]; }
KERNEL least(Block block) { *AT(int *, 0) = 1; }
KERNEL most(Block block) { body(AT(int *, 0)); body(AT(int *, 8)); AT(int *, 0)[6] = 2; }
KERNEL more(Block block) { AT(int *, 0)[AT(int, 8)] = AT(int *, 0)[AT(int, 12)]; }
KERNEL warps(Block block) { *AT(int *, 0) = __shfl_sync(~0u, AT(int, 8), 3); }
"""


def _prepared(monkeypatch: pytest.MonkeyPatch, most: float, **around: bool) -> Prepared:
    monkeypatch.setattr(vectorization, "MOST", most)
    return prepare(compiled(SOURCE, inlined=False), **({"spaces": True, "flat": True, "vectorized": False} | around))


def _hinted(prepared: Prepared) -> int:
    modes = [i.words for i in prepared.module.instructions if i.opcode == Op.ExecutionMode]
    return sum(mode[1] == ExecutionMode.VecTypeHint for mode in modes)


def test_the_largest_kernels_stay_as_they_are(monkeypatch):
    names = []
    for most in (1, 0.004, 0.002, 0):
        prepared = _prepared(monkeypatch, most)
        names.append(set(prepared.scalar))
        assert _hinted(prepared) == len(names[-1])
    assert names == [set(), {"most"}, {"most", "more"}, {"most", "more", "least"}], "warps are made by vectorization"


@pytest.mark.parametrize("around", [{"vectorized": True}, {"flat": False}, {"spaces": False}])
def test_where_all_kernels_may_be_vectorized(monkeypatch, around):
    prepared = _prepared(monkeypatch, 0, **around)
    assert not prepared.scalar
    assert not _hinted(prepared)


def test_targets_of_switches_count():
    """Intel's runtime makes a block of each: with 1,150 targets it takes 20 s, with 1,100 no time."""
    source = "PARAMETERS(16)\n"
    for count, name in ((700, "some"), (1140, "many")):
        # Each other target is the same block, and the numbers keep Clang from making a table of them.
        cases = "\n".join(f"case {7 * i * i + i}: {'*x = 1; break;' if i % 2 else 'goto other;'}" for i in range(count))
        source += (
            f"KERNEL {name}(Block block) {{ int *x = AT(int *, 0);\n switch (AT(int, 8)) {{\n{cases}\n"
            "default: *x = 2; break;\nother: *x = 3; } }\n"
        )
    prepared = prepare(compiled(source), spaces=True, flat=True, vectorized=False)
    assert prepared.scalar == {"many"}


def test_no_function_is_kept_by_an_annotation(monkeypatch):
    before = compiled(SOURCE, inlined=False)
    assert b"__global__" in before
    prepared = _prepared(monkeypatch, 1)
    assert b"__global__" not in prepared.encode()
    marks = [i for i in prepared.module.instructions if i.opcode == Op.Decorate]
    assert all(i.words[1] != Decoration.UserSemantic for i in marks)
