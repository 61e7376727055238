"""What is known of kernels: shared memory, sub-groups, types, calls."""

from dataclasses import replace

import pytest

from launchpath._compiler.spirv.enumerants import ExecutionMode, ExecutionModel
from launchpath._compiler.spirv.facts import KernelFacts, collect
from launchpath._compiler.spirv.opcodes import Op
from launchpath._compiler.spirv.prepare import Prepared, prepare
from tests.unit.support.spirv_source import Writer, compiled, sound

pytestmark = pytest.mark.compiles

SOURCE = """
extern __device__ int missing(int);
extern __device__ unsigned __spirv_BuiltInSubgroupSize() __attribute__((nothrow));
typedef __attribute__((address_space(1))) unsigned long global_long;
__shared__ char odd[4];
PARAMETERS(24)
__device__ float halve(float x) { __shared__ float part[16]; part[(int)x & 15] = x; return part[0]; }
__device__ int tree(int n) { return n < 2 ? n : tree(n - 1) + tree(n - 2); }
__device__ __attribute__((noinline)) int apart(int n) { __shared__ double d[2]; d[n & 1] = n; return n + (int)d[0]; }

KERNEL plain(Block block) { *AT(int *, 0) = 1; }
KERNEL nothing() {}
KERNEL shared(Block block) { odd[AT(int, 8) & 3] = 1; *AT(float *, 0) = halve(odd[0]); }
KERNEL shuffles(Block block) { *AT(int *, 0) = __shfl_sync(~0u, AT(int, 8), 3); }
KERNEL asks(Block block) { *AT(int *, 0) = __spirv_BuiltInSubgroupSize(); }
KERNEL warps(Block block) { __syncwarp(); *AT(int *, 0) = 1; }
KERNEL blocks(Block block) { __syncthreads(); *AT(int *, 0) = 1; }
KERNEL prints(Block block) { printf("%d", AT(int, 8)); }
KERNEL halves(Block block) { AT(_Float16 *, 0)[0] += (_Float16)1; }
KERNEL doubles(Block block) { AT(double *, 0)[0] += 1; }
KERNEL stores_double(Block block) { *AT(double *, 0) = 3.25; }
KERNEL wide_atomics(Block block) {
    __hip_atomic_fetch_add(AT(global_long *, 0), 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
KERNEL recurses(Block block) { *AT(int *, 0) = tree(AT(int, 8)); }
KERNEL calls(Block block) { *AT(int *, 0) = apart(AT(int, 8)) + missing(2); }
"""


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    return prepare(compiled(SOURCE, inlined=False))


@pytest.mark.parametrize(
    ("kernel", "wanted"),
    [
        ("plain", {}),
        ("nothing", {"parameter_bytes": 0}),
        ("shared", {"shared": 68}),
        ("shuffles", {"subgroups": True}),
        ("asks", {"subgroups": True}),
        ("warps", {"subgroups": True}),
        ("blocks", {}),
        ("prints", {"printf": True}),
        ("halves", {"fp16": True}),
        ("doubles", {"fp64": True}),
        ("stores_double", {"fp64": True}),
        ("wide_atomics", {"int64_atomics": True}),
        ("recurses", {"recursion": True, "calls": ("_Z4treei",)}),
        ("calls", {"shared": 16, "fp64": True, "calls": ("_Z5aparti",), "undefined": ("_Z7missingi",)}),
    ],
)
def test_facts(prepared: Prepared, kernel: str, wanted: dict[str, object]) -> None:
    nothing = KernelFacts(kernel, 24, 0, False, False, False, False, False, False, False, (), False, ())
    assert prepared.kernels[kernel] == replace(nothing, **wanted)  # type: ignore[arg-type]


@pytest.mark.parametrize("vote", [Op.SubgroupAllKHR, Op.SubgroupAnyKHR, Op.SubgroupAllEqualKHR])
def test_votes_of_other_compilers_need_subgroups(vote: Op) -> None:
    writer = Writer()
    function = writer.module.new_id()
    writer.put(Op.EntryPoint, ExecutionModel.Kernel, function, "kernel")
    void, truth = writer.make(Op.TypeVoid), writer.make(Op.TypeBool)
    kind, true = writer.make(Op.TypeFunction, void), writer.make(Op.ConstantTrue, truth)
    writer.put(Op.Function, void, function, 0, kind)
    writer.make(Op.Label)
    writer.make(vote, truth, true)
    writer.put(Op.Return)
    writer.put(Op.FunctionEnd)
    assert collect(sound(writer.module))[function].subgroups


def test_subgroups_are_as_wide_as_a_warp(prepared: Prepared) -> None:
    outline = sound(prepared.module)
    modes = [i for i in outline.header if i.opcode == Op.ExecutionMode]
    assert {outline.own_name(i.words[0]) for i in modes} == {"shuffles", "asks", "warps"}
    assert all(i.words[1:] == [ExecutionMode.SubgroupSize, 32] for i in modes)
    assert "SubgroupDispatch" in prepared.capabilities


def test_capabilities(prepared: Prepared) -> None:
    assert {
        "Kernel", "Addresses", "Float64", "Float16", "Int64Atomics", "GroupNonUniformShuffle",
    } <= prepared.capabilities  # fmt: skip
    assert all(not name.isdigit() for name in prepared.capabilities)
