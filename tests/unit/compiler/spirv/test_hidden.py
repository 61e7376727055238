"""Hidden parameters: dynamic shared memory and the globals' block as arguments, through calls as well."""

import pytest

from launchpath._compiler.spirv.enumerants import Decoration, Storage
from launchpath._compiler.spirv.globals.hidden import GLOBALS, SHARED
from launchpath._compiler.spirv.module import Instruction, Module
from launchpath._compiler.spirv.opcodes import Op
from launchpath._compiler.spirv.outline import Function, Outline
from launchpath._compiler.spirv.prepare import Prepared, prepare
from launchpath._compiler.spirv.runtime.recursion import call_by_pointer
from launchpath.errors import CompileError
from tests.unit.support.spirv_source import Writer, compiled, sound

pytestmark = pytest.mark.compiles

SOURCE = """
extern __shared__ float floats[];
extern __shared__ char bytes[];
struct alignas(32) Wide { double d[4]; };
extern __shared__ Wide wides[];
template <class T> struct Dynamic {};
template <> struct Dynamic<int> { static __device__ int *get() { extern __shared__ int ints[]; return ints; } };
template <> struct Dynamic<short> { static __device__ short *get() { extern __shared__ short other[]; return other; } };
__device__ int counter = 3;
__device__ int tree(int n) {
    floats[n] += counter++;
    return n < 2 ? n : tree(n - 1) + tree(n - 2);
}
PARAMETERS(16)
KERNEL types(Block block) {
    extern __shared__ double doubles[];
    int t = AT(int, 8);
    Dynamic<int>::get()[t] = Dynamic<short>::get()[t] + bytes[t] + (int)doubles[t];
}
KERNEL wide(Block block) { wides[1].d[0] = floats[AT(int, 8)]; }
KERNEL choose(Block block) {
    float *p = AT(int, 8) > 1 ? floats : AT(float *, 0);
    for (int i = 0; i < AT(int, 8); i++) p += i;
    *AT(float *, 0) = *p;
}
KERNEL calls(Block block) { *AT(int *, 0) = tree(AT(int, 8)); }
KERNEL plain(Block block) { *AT(int *, 0) = 1; }
KERNEL bare() { counter++; }
"""


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    return prepare(compiled(SOURCE))


@pytest.fixture(scope="module")
def outline(prepared: Prepared) -> Outline:
    return sound(prepared.module)


def kernel(outline: Outline, name: str) -> Function:
    (entry,) = [function for function in outline.entries if outline.own_name(function) == name]
    return outline.functions[entry]


def parameters(outline: Outline, function: Function) -> list[str]:
    return [outline.name(i.words[1]) for i in function.parameters]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("types", ["block", SHARED]),
        ("wide", ["block", SHARED]),
        ("choose", ["block", SHARED]),
        ("calls", ["block", GLOBALS, SHARED]),
        ("plain", ["block"]),
        ("bare", [GLOBALS]),
    ],
)
def test_order_of_parameters(outline: Outline, prepared: Prepared, name: str, wanted: list[str]) -> None:
    function = kernel(outline, name)
    assert parameters(outline, function) == wanted
    declared = outline.types.operands(function.definition.words[3])
    assert declared[1:] == [i.words[0] for i in function.parameters]
    assert prepared.kernels[name].globals == (GLOBALS in wanted)
    assert prepared.kernels[name].dynamic_shared == (SHARED in wanted)


def test_no_variable_is_left(outline: Outline) -> None:
    assert not list(outline.variables(Storage.Workgroup))
    assert not list(outline.variables(Storage.CrossWorkgroup))


def test_shared_pointers_are_aligned_for_the_strictest(outline: Outline) -> None:
    last = kernel(outline, "wide").parameters[-1]
    pointee = outline.types.pointee(last.words[0])
    assert outline.types.storage(last.words[0]) == Storage.Workgroup
    assert outline.types.layout(pointee).alignment == 32
    alignment = outline.decoration(last.words[1], Decoration.Alignment)
    assert alignment is not None
    assert alignment.words[2] == 32


def test_calls_pass_them_on(outline: Outline) -> None:
    caller = kernel(outline, "calls")
    (call,) = caller.calls
    callee = outline.functions[call.words[2]]
    assert parameters(outline, callee) == ["n", GLOBALS, SHARED]
    assert call.words[-2:] == [i.words[1] for i in caller.parameters[-2:]]
    assert callee.calls
    for inner in callee.calls:
        assert inner.words[-2:] == [i.words[1] for i in callee.parameters[-2:]]


def test_unreachable_functions_go(outline: Outline) -> None:
    reached = {function for entry in outline.entries for function in outline.reachable(entry)}
    assert set(outline.functions) == reached


def test_interfaces_name_variables_that_are_there(outline: Outline) -> None:
    for entry in outline.entries.values():
        after = 3 + next(at for at, word in enumerate(entry.words[2:]) if word >> 24 == 0)
        assert set(entry.words[after:]) <= outline.declared.keys()


def test_header(outline: Outline, prepared: Prepared) -> None:
    assert not [i for i in outline.header if i.opcode == Op.ExecutionMode]
    (source,) = [i for i in outline.debug if i.opcode == Op.Source]
    assert source.words == [3, 200000]
    assert "Vector16" in prepared.capabilities
    assert not [i for i in outline.annotations if i.words[1:2] == [Decoration.LinkageAttributes]]


def test_recursion_goes_by_pointer(prepared: Prepared) -> None:
    assert prepared.kernels["calls"].recursion
    before = prepared.module.encode()
    decoded = Module.decode(prepared.encode())
    assert prepared.module.encode() == before
    outline = sound(decoded)
    for function in outline.functions.values():
        for call in function.calls:
            assert function.id not in outline.reachable(call.words[2])
    assert [i for function in outline.functions.values() for i in function.body if i.opcode == 5601]
    capabilities = {i.words[0] for i in outline.header if i.opcode == Op.Capability}
    assert {5603, 5604} <= capabilities


def test_recursion_gets_the_built_in_variables() -> None:
    source = """
    PARAMETERS(16)
    __device__ int leaf(int n) { return n + threadIdx.x; }
    __device__ int tree(int n) { return n < 2 ? leaf(n) + blockIdx.y : tree(n - 1) + tree(n - 2); }
    KERNEL k(Block block) { AT(int *, 0)[threadIdx.x] = tree(AT(int, 8)); }
    """
    known = prepare(compiled(source, inlined=False))
    before = known.module.encode()
    outline = sound(Module.decode(known.encode()))
    assert known.module.encode() == before
    inputs = {i.words[1] for i in outline.variables(Storage.Input)}
    assert len(inputs) == 2
    for function in outline.functions.values():
        kind = outline.types.operands(function.definition.words[3])
        assert kind[1:] == [i.words[0] for i in function.parameters]
        for call in function.calls:
            assert len(call.words) - 3 == len(outline.functions[call.words[2]].parameters)
        if function.id not in outline.entries:
            assert len(function.parameters) >= 2
            assert inputs.isdisjoint(function.words())


def test_without_recursion_nothing_changes() -> None:
    module = prepare(compiled("PARAMETERS(8) KERNEL k(Block block) { *AT(int *, 0) = 1; }")).module
    assert call_by_pointer(module) is module


def test_recursion_in_a_ring() -> None:
    """Two functions that call each other, and one that calls itself within one of them."""
    writer = Writer()
    writer.put(Op.Capability, 6)
    writer.put(Op.MemoryModel, 2, 2)
    entry = len(writer.module.instructions)
    void = writer.make(Op.TypeVoid)
    kind = writer.make(Op.TypeFunction, void)
    names = ["kernel", "a", "b", "c", "leaf"]
    functions = {name: writer.module.new_id() for name in names}
    for name, callees in zip(names, ["a", "b leaf", "a c", "c", ""], strict=True):
        writer.put(Op.Function, void, functions[name], 0, kind)
        writer.make(Op.Label)
        for callee in callees.split():
            writer.make(Op.FunctionCall, void, functions[callee])
        writer.put(Op.Return)
        writer.put(Op.FunctionEnd)
    writer.module.instructions.insert(entry, entry_point(functions["kernel"]))
    outline = sound(call_by_pointer(writer.module))
    left = {
        (name, other)
        for name in names
        for call in outline.functions[functions[name]].calls
        for other in names
        if call.words[2] == functions[other]
    }
    assert left == {("kernel", "a"), ("a", "leaf"), ("b", "c")}


def entry_point(function: int) -> Instruction:
    writer = Writer()
    writer.put(Op.EntryPoint, 6, function, "kernel")
    return writer.module.instructions[0]


def test_recursion_with_a_barrier() -> None:
    source = """
    PARAMETERS(16)
    __device__ int wait(int n, int *p) {
        __syncthreads();
        return n < 2 ? p[n] : wait(n - 1, p) + wait(n - 2, p);
    }
    KERNEL k(Block block) { *AT(int *, 0) = wait(AT(int, 8), AT(int *, 0)); }
    """
    known = prepare(compiled(source))
    with pytest.raises(CompileError, match="wait"):
        known.encode()
