"""Loops without an end: which get one, and where it leads."""

import pytest

from launchpath._compiler.spirv.flow import EXIT, Body, reachable, reverse
from launchpath._compiler.spirv.module import Module
from launchpath._compiler.spirv.outline import Outline
from launchpath._compiler.spirv.runtime.endless import end_endless_loops
from tests.unit.compiler.spirv.test_returns import check
from tests.unit.support.spirv_source import compiled, sound

pytestmark = pytest.mark.compiles

HEAD = "PARAMETERS(16)\nKERNEL k(Block block) { int *A = AT(int *, 0), n = AT(int, 8), t = threadIdx.x; "
SPIN = "for (;;) ++*(volatile int *)A;"


def changed(body: str, before: str = "") -> tuple[Outline, bool]:
    """Change a kernel; say whether the pass did anything."""
    data = compiled(f"{before}{HEAD}{body} A[t] = 3; }}", inlined=not before)
    outline = Outline(Module.decode(data))
    plain = [list(function.body) for function in outline.functions.values()]
    end_endless_loops(outline)
    differs = plain != [function.body for function in outline.functions.values()]
    outline = sound(outline.write())
    check(outline)
    return outline, differs


def endless(outline: Outline) -> int:
    """Count the blocks that no way leads on from."""
    count = 0
    for function in outline.functions.values():
        if function.body:
            edges = Body(outline, function).edges()
            count += len(edges.keys() - reachable(reverse(edges), [EXIT]))
    return count


@pytest.mark.parametrize(
    "body",
    [
        f"if (n > 7) {SPIN}",
        f"switch (t) {{ case 5: {SPIN} case 7: A[3] = n; }}",
        f"if (n > 7) for (;;) {{ for (int i = 0; i < n; ++i) if (A[i] > 99) {SPIN} ++*(volatile int *)A; }}",
        f"if (n > 7) {SPIN} if (t > 7) {SPIN}",
        "if (n > 7) for (;;) if (*(volatile int *)A) A[1] = 3; else A[2] = 4;",
        f"{SPIN}",
    ],
)
def test_each_loop_has_an_end_then(body):
    outline, differs = changed(body)
    assert differs
    assert not endless(outline)


def test_a_function_with_a_value():
    before = f"__attribute__((noinline)) __device__ int own(int n, int *A) {{ if (n > 7) {SPIN} return A[n]; }}\n"
    outline, differs = changed("A[5] = own(n, A);", before)
    assert differs
    assert not endless(outline)


@pytest.mark.parametrize("body", ["for (int i = 0; i < n; ++i) A[i] = 3;", "while (*(volatile int *)A) A[1] = 3;", ""])
def test_other_loops_stay(body):
    assert not changed(body)[1]


def test_loops_with_barriers_stay():
    outline, differs = changed("if (n > 7) for (;;) { __syncthreads(); ++*(volatile int *)A; }")
    assert not differs
    assert endless(outline)
