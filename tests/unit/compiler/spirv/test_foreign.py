"""SPIR-V of other compilers: the entry points that launchpath adds, and its variables."""

import array
from functools import partial
from typing import Any

import pytest

from launchpath._compiler.kernels.entry_name import entry_names
from launchpath._compiler.spirv.enumerants import Decoration, Storage
from launchpath._compiler.spirv.foreign.adoption import Adopted, adopt
from launchpath._compiler.spirv.module import Instruction, Module
from launchpath._compiler.spirv.opcodes import Op
from launchpath._compiler.spirv.outline import Outline
from launchpath.errors import ArgumentValueError
from tests.foreign_source import GLOBALS, KERNELS, compiled, renamed
from tests.unit.compiler.spirv.foreign import signatures, signatures_of
from tests.unit.support.spirv_source import Writer, sound
from tests.unit.support.spirv_source import compiled as compiled_hip

BY_VALUE = [Decoration.FuncParamAttr, 2]
LOCAL_SIZE = 17


@pytest.fixture(scope="module")
def adopted() -> Adopted:
    return adopt(compiled(KERNELS))


# -- entry points


def entry(outline: Outline, name: str) -> Any:
    (function,) = [outline.functions[id_] for id_ in outline.entries if outline.own_name(id_) == name]
    return function


def shape(outline: Outline, name: str) -> list[str]:
    """The parameters of an entry point: the block's bytes, other pointers' storage classes."""
    parameters = []
    for parameter in entry(outline, name).parameters:
        type_id = parameter.words[0]
        storage = Storage(outline.types.storage(type_id))
        if storage is Storage.Function:
            assert BY_VALUE in [i.words[1:] for i in outline.decorations[parameter.words[1]]]
            parameters.append(str(outline.types.layout(outline.types.pointee(type_id)).size))
        else:
            parameters.append(storage.name)
    return parameters


@pytest.mark.processes
def test_entry_points_take_the_block_and_local_memory(adopted):
    outline = sound(adopted.module)
    shapes = {name: shape(outline, name) for name, _ in adopted.kernels}
    assert shapes == {
        "saxpy": ["24"], "block_sum": ["16", "Workgroup"], "pair": ["56"], "vectors": ["64"], "scalars": ["40"],
        "wide": ["32"], "lookup": ["24"], "tile": ["8"], "nothing": [], "only_local": ["Workgroup"],
    }  # fmt: skip
    assert {name: signature.size for name, signature in signatures(adopted).items()} == {
        name: int(taken[0]) if taken and taken[0].isdigit() else 0 for name, taken in shapes.items()
    }


@pytest.mark.processes
def test_execution_modes_move_to_the_new_entry_point(adopted):
    outline = sound(adopted.module)
    modes = [i.words for i in adopted.module.find(Op.ExecutionMode) if i.words[1] == LOCAL_SIZE]
    assert modes == [[entry(outline, "tile").id, LOCAL_SIZE, 8, 4, 1]]
    assert all(i.words[0] in outline.entries for i in adopted.module.find(Op.ExecutionMode))


@pytest.mark.processes
def test_names_of_entry_points_are_theirs_alone(adopted):
    outline = sound(adopted.module)
    kernels = {name for name, _ in adopted.kernels}
    assert not [
        f.id for f in outline.functions.values() if f.id not in outline.entries and outline.name(f.id) in kernels
    ]


@pytest.mark.processes
def test_nothing_is_exported(adopted):
    linked = [i.words[-1] for i in adopted.module.find(Op.Decorate) if i.words[1] == Decoration.LinkageAttributes]
    assert linked == []


@pytest.mark.processes
def test_kernels_get_the_names_that_the_platform_takes():
    data = renamed(compiled(KERNELS), {"saxpy": "k.one", "block_sum": "k$one"})
    for identifiers, names in ((True, ("k_one", "k_one_2")), (False, ("k.one", "k$one"))):
        kernels = adopt(data, naming=partial(entry_names, identifiers=identifiers)).kernels
        assert [(entry, signature.name) for entry, signature in kernels[:3]] == [
            (names[0], "k.one"), (names[1], "k$one"), ("pair", "pair"),
        ]  # fmt: skip


@pytest.mark.processes
def test_the_other_byte_order(adopted):
    words = array.array("I", compiled(KERNELS))
    words.byteswap()
    assert adopt(words.tobytes()).module.encode() == adopted.module.encode()


@pytest.mark.parametrize("called", [False, True])
def test_kernels_that_others_call_keep_their_structures(called):
    writer = Writer()
    put, make = writer.put, writer.make
    kernel, caller, parameter = 50, 51, 52
    writer.module.bound = 53
    put(Op.Capability, 4), put(Op.Capability, 6)
    put(Op.MemoryModel, 2, 2)
    put(Op.EntryPoint, 6, kernel, "kernel"), put(Op.EntryPoint, 6, caller, "caller")
    put(Op.Decorate, parameter, *BY_VALUE)
    void, whole = make(Op.TypeVoid), make(Op.TypeInt, 32, 0)
    pointer = writer.pointer(Storage.Function, make(Op.TypeStruct, whole, whole))
    takes, bare = make(Op.TypeFunction, void, pointer), make(Op.TypeFunction, void)
    put(Op.Function, void, kernel, 0, takes), put(Op.FunctionParameter, pointer, parameter), make(Op.Label)
    put(Op.Return), put(Op.FunctionEnd)
    put(Op.Function, void, caller, 0, bare), make(Op.Label)
    own = make(Op.Variable, pointer, Storage.Function)
    if called:
        make(Op.FunctionCall, void, kernel, own)
    put(Op.Return), put(Op.FunctionEnd)
    module = adopt(writer.module.encode()).module
    sound(module)
    assert (parameter in [i.words[0] for i in module.find(Op.Decorate) if i.words[1:] == BY_VALUE]) == called


@pytest.mark.processes
def test_decorations_in_groups_are_read():
    module = Module.decode(compiled(KERNELS))
    plain = adopt(module.encode())
    module = Module.decode(compiled(KERNELS))
    marked = [i for i in module.find(Op.Decorate) if i.words[1:] == BY_VALUE]
    assert len(marked) >= 2
    group = module.new_id()
    place = module.instructions.index(marked[0])
    module.instructions = [i for i in module.instructions if i not in marked]
    module.instructions[place:place] = [
        Instruction(Op.Decorate, [group, *BY_VALUE]),
        Instruction(Op.DecorationGroup, [group]),
        Instruction(Op.GroupDecorate, [group, *(i.words[0] for i in marked)]),
    ]
    grouped = adopt(module.encode())
    assert grouped.kernels == plain.kernels
    assert not [*sound(grouped.module).module.find(Op.DecorationGroup, Op.GroupDecorate)]


@pytest.mark.processes
def test_two_entry_points_of_the_same_function():
    module = Module.decode(compiled(KERNELS))
    first = next(module.find(Op.EntryPoint))
    again = Instruction(Op.EntryPoint, [*first.words[:2], *array.array("I", b"again\0\0\0"), *first.words[4:]])
    module.instructions.insert(module.instructions.index(first) + 1, again)
    adopted = adopt(module.encode())
    sound(adopted.module)
    assert [name for name, _ in adopted.kernels][:2] == ["saxpy", "again"]
    assert signatures(adopted)["again"].parameters == signatures(adopted)["saxpy"].parameters


# -- variables of the program


@pytest.mark.processes
def test_variables_become_symbols():
    adopted = adopt(compiled(GLOBALS))
    outline = sound(adopted.module)
    assert adopted.variables["counter"] == ("int32", ()) and adopted.variables["table"] == ("float32", (4,))
    assert {symbol.name for symbol in adopted.globals.symbols} == {"counter", "table", "second"}
    assert adopted.users == {"count", "through", "bare"}
    assert shape(outline, "count") == ["8", "CrossWorkgroup"]
    assert shape(outline, "through") == ["8", "CrossWorkgroup", "Workgroup"]
    assert shape(outline, "bare") == ["CrossWorkgroup"]
    places = {symbol.name: symbol.offset for symbol in adopted.globals.symbols}
    assert adopted.globals.relocations == ((places["second"], places["table"] + 4),)


@pytest.mark.processes
def test_variables_that_are_too_large():
    text = "__global int most[1 << 29]; __kernel void k(__global int *x) { most[x[0]] = 1; }"
    with pytest.raises(ArgumentValueError, match=r"global variables of 2147483648 bytes; at most 1073741824 are"):
        adopt(compiled(text))


def chained(generator: int, operation: int, *indices: int) -> Adopted:
    """A module whose variable begins with an address within an array of ints, as the compiler counts it."""
    writer = Writer()
    put, make = writer.put, writer.make
    writer.module.generator = generator << 16
    put(Op.Capability, 4), put(Op.Capability, 6), put(Op.Capability, 11)
    put(Op.MemoryModel, 2, 2)
    kernel = 30
    writer.module.bound = 31
    put(Op.EntryPoint, 6, kernel, "k")
    void, whole, long = make(Op.TypeVoid), make(Op.TypeInt, 32, 0), make(Op.TypeInt, 64, 0)
    ten = make(Op.Constant, long, 10, 0)
    constants = [make(Op.Constant, long, index & 0xFFFFFFFF, index >> 32 & 0xFFFFFFFF) for index in indices]
    array_type = make(Op.TypeArray, whole, ten)
    to_array, to_whole = (
        writer.pointer(Storage.CrossWorkgroup, array_type),
        writer.pointer(Storage.CrossWorkgroup, whole),
    )
    to_pointer = writer.pointer(Storage.CrossWorkgroup, to_whole)
    zeros = make(46, array_type)
    table = make(Op.Variable, to_array, Storage.CrossWorkgroup, zeros)
    address = make(Op.SpecConstantOp, to_whole, operation, table, *constants)
    place = make(Op.Variable, to_pointer, Storage.CrossWorkgroup, address)
    put(Op.Name, table, "table"), put(Op.Name, place, "place")
    kind = make(Op.TypeFunction, void)
    writer.module.instructions.append(Instruction(Op.Function, [void, kernel, 0, kind]))
    make(Op.Label)
    loaded = make(Op.Load, to_whole, place)
    put(Op.Store, loaded, constants[0])
    put(Op.Return), put(Op.FunctionEnd)
    return adopt(writer.module.encode())


@pytest.mark.parametrize(
    ("generator", "operation", "indices", "bytes_"),
    [
        (6, Op.InBoundsPtrAccessChain, (0, 3), 12),
        (6, Op.InBoundsPtrAccessChain, (1, -3), 28),
        (6, Op.PtrAccessChain, (1, 2), 48),
        (6, Op.InBoundsAccessChain, (5,), 20),
        (43, Op.InBoundsPtrAccessChain, (0, 3), 3),  # LLVM's own backend counts bytes
        (43, Op.InBoundsPtrAccessChain, (4,), 4),
    ],
)
def test_addresses_within_variables_count_as_their_compiler_does(generator, operation, indices, bytes_):
    adopted = chained(generator, operation, *indices)
    places = {symbol.name: symbol.offset for symbol in adopted.globals.symbols}
    assert adopted.globals.relocations == ((places["place"], places["table"] + bytes_),)


# -- other requirements


@pytest.mark.processes
def test_functions_that_are_only_declared_are_named():
    text = "float missing(float); __kernel void k(__global float *x) { x[0] = missing(x[1]); }"
    assert adopt(compiled(text)).undefined == ("missing",)


@pytest.mark.processes
def test_capabilities_are_listed():
    text = "__kernel void k(__global double *x) { x[0] += 1; }"
    assert 10 in adopt(compiled(text)).capabilities


# -- launchpath's own


OWN = """
struct alignas(8) __lp_packed__kernel_k { unsigned char b[16]; };
extern "C" __attribute__((global)) void __kernel_k(__lp_packed__kernel_k block) { *AT(float *, 0) = AT(int, 8); }
"""


@pytest.mark.compiles
def test_launchpaths_own_older_kernels_have_their_names_and_may_be_described():
    from launchpath._compiler.spirv.prepare import prepare

    data = prepare(compiled_hip(OWN)).encode()
    ((entry_point, signature),) = adopt(data).kernels
    assert (entry_point, signature.name, signature.size, signature.parameters[0].kind) == ("k", "k", 16, "struct")
    described = adopt(data, signatures=signatures_of(k="float *x, int n")).kernels[0][1]
    assert str(described) == "k(float *x, int n)" and described.size == 16
    with pytest.raises(ArgumentValueError, match=r"of 4 bytes; .* of 16 bytes"):
        adopt(data, signatures=signatures_of(k="int n"))


@pytest.mark.compiles
def test_launchpaths_own_kernels_with_local_memory():
    from launchpath._compiler.spirv.prepare import prepare

    text = OWN.replace("struct", "extern __attribute__((shared)) int s[];\nstruct", 1).replace("= AT(", "= s[0] + AT(")
    described = adopt(prepare(compiled_hip(text)).encode(), signatures=signatures_of(k="float *x, int n")).kernels[0][1]
    assert str(described) == "k(float *x, int n)" and described.dynamic_shared


@pytest.mark.compiles
def test_launchpaths_own_kernels_with_globals_are_refused():
    from launchpath._compiler.spirv.prepare import prepare

    text = OWN.replace("struct", "__attribute__((device)) int counter = 3;\nstruct", 1).replace(
        "= AT(", "= counter++ + AT("
    )
    with pytest.raises(ArgumentValueError, match=r"(?s)'__kernel_k' uses device globals.*Program\.save"):
        adopt(prepare(compiled_hip(text)).encode())
