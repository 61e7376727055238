"""Which accesses of a warp's lanes ballots keep in order, and which stay volatile."""

import pytest

from launchpath._compiler.clang.frontend import in_step, with_known_groups
from launchpath._compiler.spirv.enumerants import MemoryAccess, Scope
from launchpath._compiler.spirv.opcodes import Op
from launchpath._compiler.spirv.outline import Outline
from launchpath._compiler.spirv.prepare import prepare
from tests.unit.support.spirv_source import compiled, sound

SOURCE = """
PARAMETERS(24)
#define APART __attribute__((device, noinline))
#define HEAD __shared__ volatile int s[64]; __shared__ volatile int r[64]; int t = threadIdx.x; int *d = AT(int *, 0);
#define STEP s[t] = d[t]; d[t] = s[t ^ 1];
APART void swap(volatile int *p, int t) { int x = p[t ^ 1]; p[t] = x; }
APART void deeper(volatile int *p, int t) { swap(p + 32, t); }
APART void either(volatile int *p, int t) { p[t] = p[t ^ 1]; }
APART void everyone(volatile int *p, int t) { p[t] = p[t ^ 1]; }
APART int tree(volatile int *p, int n) { p[n] = n; return n < 2 ? p[n ^ 1] : tree(p, n - 1) + tree(p, n - 2); }
KERNEL plain(Block block) { HEAD STEP }
KERNEL called(Block block) { HEAD deeper(s, t); swap(r, t); STEP }
KERNEL from_both(Block block) { HEAD either(s, t); either(d, t); STEP }
KERNEL with_others(Block block) { HEAD everyone(s, t); STEP }
KERNEL other(Block block) { __shared__ int q[64]; everyone(AT(int *, 0), 1); q[1] = 2; __syncthreads(); *AT(int *, 0) = q[2]; }
KERNEL global(Block block) { HEAD STEP volatile int *g = AT(int *, 8); g[t] = 2; }
KERNEL chosen(Block block) { HEAD volatile int *p = d[t] ? s : r; p[t] = 1; d[t] = p[t ^ 1]; }
KERNEL moved(Block block) { HEAD for (volatile int *p = s; p < s + d[t]; p += t) { *p = t; d[t] += p[t ^ 1]; } }
KERNEL partly(Block block) { HEAD volatile int *p = d[t] ? s : d; p[t] = 1; d[t] = s[t ^ 1]; }
KERNEL fences(Block block) {
  __shared__ int s[64]; int t = threadIdx.x; int *d = AT(int *, 0);
  s[t] = d[t]; __threadfence_block(); d[t] = s[t ^ 1]; __syncwarp(); d[t] += s[t ^ 2]; __threadfence();
}
KERNEL recursive(Block block) { HEAD STEP d[t] += tree(s, t); }
"""
VOLATILE = {
    "plain": 0, "called": 0, "from_both": 2, "with_others": 2, "global": 1, "chosen": 0, "moved": 0, "partly": 1,
    "fences": 0,
}  # fmt: skip


@pytest.fixture(scope="module")
def outline() -> Outline:
    return sound(prepare(compiled(SOURCE, inlined=False), spaces=True, flat=True).module)


def _bodies(outline: Outline, kernel: str):
    (entry,) = (number for number, i in outline.entries.items() if i.text(2).endswith(kernel))
    return [outline.functions[number].body for number in outline.reachable(entry)]


def _volatile(instruction) -> bool:
    at = {Op.Load: 3, Op.Store: 2}.get(instruction.opcode)
    return at is not None and len(instruction.words) > at and bool(instruction.words[at] & MemoryAccess.Volatile)


@pytest.mark.compiles
@pytest.mark.parametrize("kernel", VOLATILE)
def test_accesses_that_stay_volatile(outline, kernel):
    assert sum(_volatile(i) for body in _bodies(outline, kernel) for i in body) == VOLATILE[kernel]


@pytest.mark.compiles
def test_functions_that_are_called_by_pointer_stay_as_they_are(outline):
    bodies = _bodies(outline, "recursive")
    assert all(any(map(_volatile, body)) for body in bodies)
    ballots = [i for body in bodies for i in body if i.opcode == Op.GroupNonUniformBallot]
    assert len(ballots) == 1, "the one that makes warps"


@pytest.mark.compiles
def test_a_ballot_stands_on_both_sides_of_each_access(outline):
    (body,) = _bodies(outline, "plain")
    touching = [i.opcode for i in body if i.opcode in (Op.Load, Op.Store, Op.GroupNonUniformBallot)]
    text = "".join({Op.Load: "l", Op.Store: "s", Op.GroupNonUniformBallot: "|"}[opcode] for opcode in touching)
    # The block's argument, the thread's number, d[t]; the store to shared memory, the load from it; d[t].
    assert text.endswith("|s|l|s"), text


@pytest.mark.compiles
def test_fences_of_warps_and_blocks_become_ballots(outline):
    (body,) = _bodies(outline, "fences")
    scopes = [outline.types.integer(i.words[0]) for i in body if i.opcode == Op.MemoryBarrier]
    assert scopes == [Scope.Device]
    assert sum(i.opcode == Op.GroupNonUniformBallot for i in body) == 2


@pytest.mark.compiles
@pytest.mark.parametrize("around", [{"spaces": True}, {"flat": True}, {}])
def test_other_devices_keep_volatile_accesses(around):
    module = prepare(compiled(SOURCE, inlined=False), **around).module
    assert not any(i.opcode == Op.GroupNonUniformBallot for i in module.instructions)
    assert sum(map(_volatile, module.instructions)) > 15


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("__shared__ volatile int s[4]; s[t] = s[t ^ 1];", True),
        ("__shared__ int s[4]; __syncwarp(); return 1;", True),
        ("__shared__ int s[4]; volatile_count = 1;", False),
        ("volatile int *p;", False),
        ("__shared__ volatile int s[4]; if (t) return ; __syncthreads();", False),
    ],
)
def test_sources_whose_jumps_are_not_threaded(text, counts):
    assert bool(in_step({"a.cu": text.encode()})) == counts


@pytest.mark.parametrize(("text", "counts"), [("int f(cg::thread_group g);", True), ("int my_thread_groups;", False)])
def test_sources_whose_groups_clang_knows(text, counts):
    assert bool(with_known_groups({"a.cu": text.encode()})) == counts
