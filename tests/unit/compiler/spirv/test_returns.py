"""Threads that end early: what kernels become, and which are left as they were."""

import pytest

from launchpath._compiler.spirv.flow import EXIT, Body, dominators, order, reverse
from launchpath._compiler.spirv.opcodes import NO_RESULT, Op
from launchpath._compiler.spirv.operands import ids
from launchpath._compiler.spirv.outline import Outline
from launchpath._compiler.spirv.prepare import Prepared, prepare
from tests.unit.support.spirv_source import compiled, sound

pytestmark = pytest.mark.compiles

BEFORE = """
PARAMETERS(24)
#define A AT(int *, 0)
#define N AT(int, 8)
#define M AT(int, 12)
KERNEL k(Block block) {
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
"""
UNTOUCHED = {
    "no barrier": "if (i >= N) return; A[i] = 1;",
    "no return": "s[t] = i; __syncthreads(); A[i] = s[t ^ 1];",
    "guarded accesses": "if (i < N) s[t] = A[i]; __syncthreads(); if (i < N) A[i] = s[t ^ 1];",
    "all return together": "if (M > 3) return; s[t] = i; __syncthreads(); A[i] = s[t ^ 1];",
    "all return by what they read": "if (A[blockIdx.x] > 3) return; s[t] = i; __syncthreads(); A[i] = s[t ^ 1];",
    "a return after the last barrier": "s[t] = i; __syncthreads(); if (t) return; A[i] = s[t ^ 1];",
}
CHANGED = {
    "at the top": "if (i >= N) return; s[t] = i; __syncthreads(); A[i] = s[t ^ 1];",
    "by falling out": "if (i < N) { s[t] = i; __syncthreads(); A[i] = s[t ^ 1]; }",
    "after stores": "if (i >= N) { A[i] = 3; return; } s[t] = i; __syncthreads(); A[i] = s[t ^ 1];",
    "in a loop": """#pragma nounroll
                    for (int k = 0; k < M; k++) { if (A[i] == k) return; s[t] = k; __syncthreads(); A[i] += s[t ^ 1];
                    __syncthreads(); }""",
    "in nested ifs": """if (t < 9) { A[i]++; if (A[i] > 7) { if (t > 3) return; A[i]--; } }
                        s[t] = i; __syncthreads(); A[i] = s[t ^ 1];""",
}
TELLING = {
    "a condition that is read": """if (i >= N) return;
        #pragma nounroll
        for (;;) { s[0] = 0; __syncthreads(); if (A[i]-- > 0) s[0] = 1; __syncthreads(); int go = s[0]; __syncthreads();
        if (!go) break; }""",
    "a loop of each thread's own": """if (t == 3) return;
        #pragma nounroll
        for (int k = t; k < N; k += 64) { s[t] = k; __syncthreads(); A[k] = s[t ^ 1]; __syncthreads(); } A[t]++;""",
    "an exit that stays the same": """
        #pragma nounroll
        for (int k = 0; ; k++) { s[t] = k; __syncthreads(); if (M == 7) break; if (A[i] < k) return; A[i] += s[t ^ 1]; }
        A[i] = 1;""",
}
TANGLED = """if (i >= N) return; int k = 0;
    #pragma nounroll
    while (A[i + k] < 3) { k++; if (A[i + k] == 7) { A[k] = 1; __syncthreads(); break; } A[k]++; }
    __syncthreads(); A[i] = k;"""


def prepared(body: str, early_returns: bool = True, structured: bool = False) -> Prepared:
    return prepare(compiled(f"{BEFORE}{body} }}"), early_returns=early_returns, structured=structured)


def check(outline: Outline) -> None:
    """Phis have one value for each way in, and values are made on all ways to where they are used."""
    for function in outline.functions.values():
        body = Body(outline, function)
        body.locate()
        edges = body.edges()
        assert set(order(edges, body.entry)) - {EXIT} == set(body.blocks)
        before, above = reverse(edges), dominators(edges, body.entry)

        def dominated(home: int, label: int, above: dict[int, int] = above) -> bool:
            while label not in (home, above[label]):
                label = above[label]
            return label == home

        for block in body.blocks.values():
            for phi in block.phis:
                assert sorted(phi.words[3::2]) == sorted(before[block.label])
                for at in range(2, len(phi.words), 2):
                    home = body.home.get(phi.words[at])
                    assert home is None or dominated(home, phi.words[at + 1])
            seen = {phi.words[1] for phi in block.phis}
            for i in (*block.body, block.end):
                for at in ids(i.opcode, i.words):
                    home = body.home.get(i.words[at])
                    if home == block.label and at != (0 if i.opcode in NO_RESULT else 1):
                        assert i.words[at] in seen
                    elif home is not None:
                        assert dominated(home, block.label)
                if i.opcode not in NO_RESULT:
                    seen.add(i.words[1])


def body_of(module: Prepared) -> list[tuple[int, list[int]]]:
    return [(i.opcode, i.words) for f in Outline(module.module).functions.values() for i in f.body]


def barriers(module: Prepared) -> int:
    return sum(1 for i in module.module.instructions if i.opcode == Op.ControlBarrier)


@pytest.mark.parametrize("name", UNTOUCHED)
def test_kernels_without_the_problem_are_left_alone(name):
    changed, plain = prepared(UNTOUCHED[name]), prepared(UNTOUCHED[name], early_returns=False)
    assert body_of(changed) == body_of(plain)
    assert changed.warnings == ()


@pytest.mark.parametrize("name", CHANGED)
def test_ended_threads_go_on(name):
    changed, plain = prepared(CHANGED[name]), prepared(CHANGED[name], early_returns=False)
    check(sound(changed.module))
    assert changed.warnings == ()
    assert body_of(changed) != body_of(plain)
    # What these need to know comes of the arguments: no more barriers, no more shared memory.
    assert barriers(changed) == barriers(plain)
    assert changed.kernels == plain.kernels


@pytest.mark.parametrize("name", TELLING)
def test_ended_threads_get_values_that_they_cannot_know(name):
    changed, plain = prepared(TELLING[name]), prepared(TELLING[name], early_returns=False)
    check(sound(changed.module))
    assert changed.warnings == ()
    assert barriers(changed) > barriers(plain)
    assert changed.kernels["k"].shared >= plain.kernels["k"].shared + 16


def test_what_is_too_tangled_becomes_a_loop_over_segments():
    changed, plain = prepared(TANGLED), prepared(TANGLED, early_returns=False)
    check(sound(changed.module))
    assert changed.warnings == ()
    # One at which threads tell that they have not ended, and one before the first of these.
    assert barriers(changed) == 2 < barriers(plain) + 1


def test_what_is_too_tangled_for_kernels_whose_threads_make_warps_is_left_and_named():
    body = TANGLED + "A[i] += __shfl_sync(~0u, k, 0);"
    changed, plain = prepared(body), prepared(body, early_returns=False)
    assert body_of(changed) == body_of(plain)
    (warning,) = changed.warnings
    assert "kernel 'k'" in warning and "return before a barrier" in warning


STRUCTURED = {
    "a branch": "if (M > 3) { s[t] = i; __syncthreads(); if (t > 3) A[i] = s[t ^ 1]; } A[i]++;",
    "a branch that all take or return": "if (M > 3) return; s[t] = i; __syncthreads(); if (t > 3) A[i] = s[t ^ 1];",
    "an end in such a branch": """if (M > 3) return; if (A[i] > 3) return; s[t] = i; __syncthreads();
                                  if (t > 3) A[i] = s[t ^ 1];""",
}
DIVIDED = {
    "an end in a branch": "if (M > 3) { if (A[i] > 3) return; s[t] = i; __syncthreads(); A[i] = s[t ^ 1]; } A[i]++;",
    "a return from a branch": "if (M > 3) { s[t] = i; __syncthreads(); A[i] = s[t ^ 1]; if (N > 3) return; } A[i]++;",
    "an end in a loop": CHANGED["in a loop"],
}


@pytest.mark.parametrize("name", STRUCTURED)
def test_a_branch_with_barriers_gets_one_at_its_end(name):
    changed, plain = prepared(STRUCTURED[name], structured=True), prepared(STRUCTURED[name], early_returns=False)
    check(sound(changed.module))
    assert barriers(changed) == barriers(plain) + 1
    assert changed.kernels == plain.kernels


@pytest.mark.parametrize("name", DIVIDED)
def test_other_control_flow_around_barriers_becomes_a_loop_over_segments(name):
    changed = prepared(DIVIDED[name], structured=True)
    check(sound(changed.module))
    assert barriers(changed) == 2
    assert any(i.opcode == Op.Switch for i in changed.module.instructions)


IN_FUNCTIONS = """
    __device__ __noinline__ int next(int *s, int by) { int t = threadIdx.x; if (by < 0) return by; __syncthreads();
        int got = s[t ^ by]; __syncthreads(); return got; }
    __device__ __noinline__ int after(int *s) { return next(s, 1) + next(s, 2); }
    """


def test_barriers_in_functions_count():
    body = "if (i >= N) return; s[t] = i; A[i] = after(s); }"
    changed = prepare(compiled(BEFORE.replace("KERNEL", IN_FUNCTIONS + "KERNEL") + body), early_returns=True)
    check(sound(changed.module))
    assert changed.warnings == ()
    kernel = Outline(changed.module)
    (entry,) = kernel.entries
    assert not kernel.functions[entry].calls


def test_without_being_asked_nothing_changes():
    assert prepared(CHANGED["at the top"], early_returns=False).warnings == ()
