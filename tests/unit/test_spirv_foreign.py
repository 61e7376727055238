"""SPIR-V that others made: what its kernels take, and the entry points that launchpath gives it."""

from __future__ import annotations

import array
from typing import Any

import pytest

import launchpath as lp
from launchpath.compiler.parameter_list import signature
from launchpath.compiler.signature import Parameter, Signature
from launchpath.compiler.spirv.foreign import Adopted, adopt
from launchpath.compiler.spirv.module import Instruction, Module
from launchpath.compiler.spirv.opcodes import Decoration, Op, Storage
from launchpath.compiler.spirv.outline import Outline
from launchpath.errors import ArgumentValueError, CompileError, LaunchpathError
from tests.foreign_source import GLOBALS, KERNELS, compiled, renamed, with_notes
from tests.unit.spirv_source import Writer, sound
from tests.unit.spirv_source import compiled as compiled_hip

BY_VALUE = [Decoration.FuncParamAttr, 2]
LOCAL_SIZE = 17
FUNCTION_END = (1 << 16 | Op.FunctionEnd).to_bytes(4, "little")


def signatures(adopted: Adopted) -> dict[str, Signature]:
    return {one.name: one for _, one in adopted.kernels}


def parameters(found: Signature) -> list[tuple[Any, ...]]:
    return [(one.name, one.ctype, one.kind, one.size, one.offset, one.pointee, one.const) for one in found.parameters]


@pytest.fixture(scope="module")
def adopted() -> Adopted:
    return adopt(compiled(KERNELS))


# -- signatures


def test_kernels_are_found_in_order_and_by_their_names(adopted):
    names = ["saxpy", "block_sum", "pair", "vectors", "scalars", "wide", "lookup", "tile", "nothing", "only_local"]
    assert [entry for entry, _ in adopted.kernels] == names == [one.name for _, one in adopted.kernels]


def test_pointers_and_numbers(adopted):
    assert parameters(signatures(adopted)["saxpy"]) == [
        ("x", "const float *", "pointer", 8, 0, "float32", True),
        ("y", "float *", "pointer", 8, 8, "float32", False),
        ("a", "float", "float32", 4, 16, None, False),
        ("n", "int", "int32", 4, 20, None, False),
    ]
    assert signatures(adopted)["saxpy"].size == 24


def test_integers_have_a_sign_where_the_module_says_so(adopted):
    found = signatures(adopted)["scalars"]
    # Clang marks what is narrower than an int and unsigned; of wider ones SPIR-V knows no sign.
    kinds = ["int8", "uint8", "int16", "uint16", "int32", "int32", "int64", "int64"]
    assert [one.kind for one in found.parameters[1:]] == kinds
    assert [one.offset for one in found.parameters] == [0, 8, 9, 10, 12, 16, 20, 24, 32]
    assert [str(one) for one in found.parameters[:4]] == ["long *out", "char c", "unsigned char uc", "short s"]


def test_a_pointer_to_integers_of_unknown_sign_takes_any(adopted):
    assert signatures(adopted)["tile"].parameters[0].pointee is None


def test_constant_memory_is_const(adopted):
    assert parameters(signatures(adopted)["lookup"])[1] == ("table", "const float *", "pointer", 8, 8, "float32", True)


def test_layout_is_that_of_c(adopted):
    assert [(one.offset, one.size) for one in signatures(adopted)["wide"].parameters] == [
        (0, 8),
        (8, 1),
        (16, 8),
        (24, 4),
    ]
    assert signatures(adopted)["wide"].size == 32


def test_structs_and_vectors(adopted):
    pair = signatures(adopted)["pair"]
    assert [(one.ctype, one.kind, one.size, one.align, one.offset) for one in pair.parameters[1:]] == [
        ("Pair", "struct", 12, 4, 8),
        ("Inner", "struct", 32, 8, 24),
    ]
    vectors = signatures(adopted)["vectors"]
    assert [(one.ctype, one.size, one.offset) for one in vectors.parameters[1:]] == [
        ("float4", 16, 16), ("float3", 16, 32), ("float2", 8, 48), ("int", 4, 56),
    ]  # fmt: skip
    assert vectors.size == 64 == vectors.size // vectors.align * vectors.align


def test_local_memory_is_no_parameter_but_dynamic_shared_memory(adopted):
    found = signatures(adopted)["block_sum"]
    assert [one.name for one in found.parameters] == ["in", "out"] and found.dynamic_shared
    assert signatures(adopted)["only_local"] == Signature("only_local", (), 0, 0, True)
    assert not signatures(adopted)["saxpy"].dynamic_shared


def test_a_required_block_is_the_most_threads(adopted):
    assert signatures(adopted)["tile"].max_threads == 32
    assert signatures(adopted)["saxpy"].max_threads is None


def test_static_local_memory_is_counted():
    text = (
        "__kernel void k(__global int *x) { __local int s[100]; s[get_local_id(0)] = x[0]; barrier(1); x[1] = s[7]; }"
    )
    assert adopt(compiled(text)).kernels[0][1].shared == 400


def test_notes_of_the_compiler_give_types_and_signs():
    notes = {
        "saxpy": ("float*,float*,float,int,", "restrict const,,,,"),
        "scalars": ("long*,char,uchar,short,ushort,int,uint,long,size_t,", ",,,,,,,,,"),
        "tile": ("uint*,", ","),
        "pair": ("float*,struct Pair,struct Inner,", ",,,"),
        "lookup": ("float*,float*,uint,", ",const,,"),
        "vectors": ("float4*,float4,float3,float2,my_type,", ",,,,,"),
        "nothing": ("", ""),
    }
    found = signatures(adopt(with_notes(compiled(KERNELS), notes)))
    assert [str(one) for one in found["saxpy"].parameters] == ["const float *x", "float *y", "float a", "int n"]
    kinds = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
    assert [one.kind for one in found["scalars"].parameters[1:]] == kinds
    assert [one.ctype for one in found["scalars"].parameters[6:]] == ["uint", "long", "size_t"]
    assert found["scalars"].parameters[0].pointee == "int64"
    assert (found["tile"].parameters[0].pointee, str(found["tile"].parameters[0])) == ("uint32", "uint *out")
    assert found["pair"].parameters[1].ctype == "struct Pair"
    assert found["lookup"].parameters[2].kind == "uint32"
    assert (found["vectors"].parameters[0].ctype, found["vectors"].parameters[0].pointee) == ("float4 *", None)
    assert (found["vectors"].parameters[4].ctype, found["vectors"].parameters[4].kind) == ("my_type", "int32")


def test_notes_that_contradict_the_module_are_not_believed():
    notes = {"saxpy": ("float*,float*,float,", ",,,"), "wide": ("double*,char,float,double,", ",,,,")}
    found = signatures(adopt(with_notes(compiled(KERNELS), notes)))
    assert [one.kind for one in found["saxpy"].parameters] == ["pointer", "pointer", "float32", "int32"]
    assert [one.kind for one in found["wide"].parameters] == ["pointer", "int8", "float64", "float32"]


def test_runtimes_do_not_see_the_notes_any_more():
    module = adopt(with_notes(compiled(KERNELS), {"saxpy": ("float*,float*,float,int,", ",,,,")})).module
    assert not list(module.find(Op.String))


def test_parameters_without_usable_names_are_called_by_their_places():
    module = Module.decode(compiled(KERNELS))
    saxpy = Outline(module).functions[next(module.find(Op.EntryPoint)).words[1]]
    gone = [i.words[1] for i in saxpy.parameters[:2]]
    module.instructions = [i for i in module.instructions if i.opcode != Op.Name or i.words[0] not in gone]
    found = adopt(module.encode()).kernels[0][1]
    assert [one.name for one in found.parameters] == ["arg0", "arg1", "a", "n"]


# -- signatures given by hand


def given(**lists: str) -> dict[str, Signature]:
    return {kernel: signature(kernel, text) for kernel, text in lists.items()}


def test_a_given_signature_names_and_describes():
    lists = given(
        saxpy="const float *from, float *to, float factor, unsigned count",
        pair="struct P { int a; float b; char c; }; struct Q { double d; P p[2]; }; float *result, P p, Q q",
        tile="unsigned *out",
    )
    found = signatures(adopt(compiled(KERNELS), given=lists))
    assert str(found["saxpy"]) == "saxpy(const float *from, float *to, float factor, unsigned int count)"
    assert [one.kind for one in found["saxpy"].parameters] == ["pointer", "pointer", "float32", "uint32"]
    assert [one.ctype for one in found["pair"].parameters] == ["float *", "P", "Q"]
    assert found["tile"].parameters[0].pointee == "uint32" and found["tile"].max_threads == 32
    assert found["vectors"].parameters[1].ctype == "float4"  # others are as the module says


def test_local_memory_may_stand_in_a_given_signature():
    for text in ("const float *x, float *y", "__global const float *x, __local float *s, __global float *y"):
        found = signatures(adopt(compiled(KERNELS), given=given(block_sum=text)))["block_sum"]
        assert [one.name for one in found.parameters] == ["x", "y"] and found.dynamic_shared


def test_words_of_opencl_c_are_understood_in_lists():
    found = signature("k", "__global const uint *x, __constant uchar *y, ulong n, float *global")
    assert [one.pointee for one in found.parameters] == ["uint32", "uint8", None, "float32"]
    assert found.parameters[1].const
    assert [one.name for one in signature("k", "float *global, int local").parameters] == ["global", "local"]


@pytest.mark.parametrize(
    ("kernel", "text", "says"),
    [
        ("saxpy", "float *x, float *y, double a, int n", r"saxpy.*'double a'.*2, of 8 bytes.*'float a', of 4 bytes"),
        ("saxpy", "float *x, float *y, float a, char n", r"'char n'.*of 1 byte; .*'int n', of 4 bytes"),
        ("saxpy", "float *x, float *y, int a, int n", r"'int a' for parameter 2; .*'float a', which is another kind"),
        ("saxpy", "float *x, float *y, float a", r"has 3 parameters; the module's has 4: const float \*x, float \*y,"),
        ("vectors", "float4 *v, float4 b, float3 t, float2 u, int n", r"'float3 t'.*12 bytes; .*'float3 three', of 16"),
        (
            "block_sum",
            "float *x",
            r"has 1 parameters; .* has 2: .*\(and a pointer to local memory, which the launch gives",
        ),
        ("other", "int n", r"no kernel 'other', for which a signature is given; it has saxpy, block_sum"),
    ],
)
def test_a_given_signature_must_agree(kernel, text, says):
    with pytest.raises(ArgumentValueError, match=rf"^x\.spv.*{says}"):
        adopt(compiled(KERNELS), "x.spv", given(**{kernel: text}))


@pytest.mark.parametrize("text", ["flot *x", "float *x) {", "int x int", "struct Nowhere q"])
def test_what_is_no_parameter_list(text):
    with pytest.raises(ArgumentValueError, match=r"(?s)signature given for 'k' is no C parameter list:.*error:"):
        signature("k", text)


def test_a_signature_that_is_no_text():
    with pytest.raises(TypeError, match="signature of 'k' is a str, not int"):
        signature("k", 7)


# -- entry points


def entry(outline: Outline, name: str) -> Any:
    (found,) = [outline.functions[one] for one in outline.entries if outline.own_name(one) == name]
    return found


def shape(outline: Outline, name: str) -> list[str]:
    """What an entry point takes: the block's bytes, other pointers' storage classes."""
    made = []
    for parameter in entry(outline, name).parameters:
        type_id = parameter.words[0]
        storage = Storage(outline.types.storage(type_id))
        if storage is Storage.Function:
            assert BY_VALUE in [i.words[1:] for i in outline.decorations[parameter.words[1]]]
            made.append(str(outline.types.layout(outline.types.pointee(type_id)).size))
        else:
            made.append(storage.name)
    return made


def test_entry_points_take_the_block_and_local_memory(adopted):
    outline = sound(adopted.module)
    shapes = {name: shape(outline, name) for name, _ in adopted.kernels}
    assert shapes == {
        "saxpy": ["24"], "block_sum": ["16", "Workgroup"], "pair": ["56"], "vectors": ["64"], "scalars": ["40"],
        "wide": ["32"], "lookup": ["24"], "tile": ["8"], "nothing": [], "only_local": ["Workgroup"],
    }  # fmt: skip
    assert {name: one.size for name, one in signatures(adopted).items()} == {
        name: int(taken[0]) if taken and taken[0].isdigit() else 0 for name, taken in shapes.items()
    }


def test_execution_modes_move_to_the_new_entry_point(adopted):
    outline = sound(adopted.module)
    modes = [i.words for i in adopted.module.find(Op.ExecutionMode) if i.words[1] == LOCAL_SIZE]
    assert modes == [[entry(outline, "tile").id, LOCAL_SIZE, 8, 4, 1]]
    assert all(i.words[0] in outline.entries for i in adopted.module.find(Op.ExecutionMode))


def test_names_of_entry_points_are_theirs_alone(adopted):
    outline = sound(adopted.module)
    kernels = {name for name, _ in adopted.kernels}
    assert not [
        f.id for f in outline.functions.values() if f.id not in outline.entries and outline.name(f.id) in kernels
    ]


def test_nothing_is_exported(adopted):
    linked = [i.words[-1] for i in adopted.module.find(Op.Decorate) if i.words[1] == Decoration.LinkageAttributes]
    assert linked == []


def test_a_prefix_makes_names_that_are_cs():
    data = renamed(compiled(KERNELS), {"saxpy": "k.one", "block_sum": "k$one"})
    found = adopt(data, prefix="__kernel_").kernels
    assert [(name, one.name) for name, one in found[:3]] == [
        ("__kernel_k_one", "k.one"), ("__kernel_k_one_", "k$one"), ("__kernel_pair", "pair"),
    ]  # fmt: skip


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


def test_two_entry_points_of_one_function():
    module = Module.decode(compiled(KERNELS))
    first = next(module.find(Op.EntryPoint))
    again = Instruction(Op.EntryPoint, [*first.words[:2], *array.array("I", b"again\0\0\0"), *first.words[4:]])
    module.instructions.insert(module.instructions.index(first) + 1, again)
    found = adopt(module.encode())
    sound(found.module)
    assert [name for name, _ in found.kernels][:2] == ["saxpy", "again"]
    assert signatures(found)["again"].parameters == signatures(found)["saxpy"].parameters


# -- variables of the program


def test_variables_become_symbols():
    found = adopt(compiled(GLOBALS))
    outline = sound(found.module)
    assert found.variables["counter"] == ("int32", ()) and found.variables["table"] == ("float32", (4,))
    assert {one.name for one in found.globals.symbols} == {"counter", "table", "second"}
    assert found.users == {"count", "through", "bare"}
    assert shape(outline, "count") == ["8", "CrossWorkgroup"]
    assert shape(outline, "through") == ["8", "CrossWorkgroup", "Workgroup"]
    assert shape(outline, "bare") == ["CrossWorkgroup"]
    places = {one.name: one.offset for one in found.globals.symbols}
    assert found.globals.relocations == ((places["second"], places["table"] + 4),)


def test_variables_larger_than_anybody_means():
    text = "__global int most[1 << 29]; __kernel void k(__global int *x) { most[x[0]] = 1; }"
    with pytest.raises(ArgumentValueError, match=r"global variables of 2147483648 bytes; more than 1073741824 are"):
        adopt(compiled(text))


def chained(generator: int, operation: int, *indices: int) -> Adopted:
    """A module whose variable begins with an address within an array of ints, as chain counted it."""
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
    found = chained(generator, operation, *indices)
    places = {one.name: one.offset for one in found.globals.symbols}
    assert found.globals.relocations == ((places["place"], places["table"] + bytes_),)


# -- what cannot be launched


def opaque(opcode: int, *operands: int, behind: Storage | None = None) -> bytes:
    """A module with a kernel whose second parameter is of such a type."""
    writer = Writer()
    put, make = writer.put, writer.make
    put(Op.Capability, 4), put(Op.Capability, 6)
    put(Op.MemoryModel, 2, 2)
    kernel, number, strange = 50, 51, 52
    writer.module.bound = 53
    put(Op.EntryPoint, 6, kernel, "blur")
    put(Op.Name, strange, "picture")
    void, whole = make(Op.TypeVoid), make(Op.TypeInt, 32, 0)
    kind = writer.module.new_id()
    put(opcode, kind, *(void if one == -1 else one for one in operands))
    if behind is not None:
        kind = writer.pointer(behind, kind)
    of = make(Op.TypeFunction, void, whole, kind)
    writer.module.instructions += [
        Instruction(Op.Function, [void, kernel, 0, of]),
        Instruction(Op.FunctionParameter, [whole, number]),
        Instruction(Op.FunctionParameter, [kind, strange]),
    ]
    make(Op.Label)
    put(Op.Return), put(Op.FunctionEnd)
    return writer.module.encode()


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (opaque(25, -1, 1, 0, 0, 0, 0, 0, 0), "an image"),
        (opaque(26), "a sampler"),
        (opaque(31, 0x74), "of an opaque type"),
        (opaque(34), "an event"),
        (opaque(37), "a device's queue"),
        (opaque(38, 0), "a pipe"),
        (opaque(31, 0x74, behind=Storage.CrossWorkgroup), "of an opaque type"),
        (opaque(4456, 32, 3), "of a type that an extension brings"),
        (opaque(21, 24, 0), "a number of a width that no C type has"),
        (opaque(21, 32, 1, behind=Storage.Function), "a pointer to private memory"),
        (opaque(21, 32, 1, behind=Storage.Input), "a pointer into storage class 1"),
    ],
)
def test_parameters_that_a_launch_cannot_give(made, says):
    with pytest.raises(ArgumentValueError, match=rf"^x\.spv: parameter 1 \(picture\) of kernel 'blur' is {says}"):
        adopt(made, "x.spv")


def test_bools():
    found = adopt(opaque(20))
    sound(found.module)
    assert parameters(found.kernels[0][1])[1] == ("picture", "bool", "bool", 1, 4, None, False)


def test_a_structure_of_no_size():
    with pytest.raises(ArgumentValueError, match=r"^x: parameter 'picture' .* with 0 bytes"):
        adopt(opaque(30), "x")


def test_two_pointers_to_local_memory():
    data = compiled("__kernel void k(__local float *a, __global float *x, __local int *b) { x[0] = a[0] + b[0]; }")
    with pytest.raises(ArgumentValueError, match=r"kernel 'k' takes 2 pointers to local memory \(a, b\)"):
        adopt(data)


def test_shaders():
    module = Module.decode(compiled(KERNELS))
    next(module.find(Op.MemoryModel)).words[:] = [0, 1]
    with pytest.raises(ArgumentValueError, match="SPIR-V for Vulkan or OpenGL"):
        adopt(module.encode())


def test_addresses_of_32_bits():
    module = Module.decode(compiled(KERNELS))
    next(module.find(Op.MemoryModel)).words[0] = 1
    with pytest.raises(ArgumentValueError, match="other than 64-bit addresses; make it for the target spirv64"):
        adopt(module.encode())


def test_a_library():
    module = Module.decode(compiled(KERNELS))
    module.instructions = [i for i in module.instructions if i.opcode not in (Op.EntryPoint, Op.ExecutionMode)]
    with pytest.raises(ArgumentValueError, match="no kernels: it is a library"):
        adopt(module.encode())


def test_what_is_only_declared_is_named():
    text = "float missing(float); __kernel void k(__global float *x) { x[0] = missing(x[1]); }"
    assert adopt(compiled(text)).undefined == ("missing",)


def test_capabilities_are_told():
    text = "__kernel void k(__global double *x) { x[0] += 1; }"
    assert 10 in adopt(compiled(text)).capabilities


# -- launchpath's own

OWN = """
struct alignas(8) __kernel_k_block { unsigned char b[16]; };
extern "C" __attribute__((global)) void __kernel_k(__kernel_k_block block) { *AT(float *, 0) = AT(int, 8); }
"""


def test_launchpaths_own_kernels_keep_their_names_and_may_be_described():
    from launchpath.compiler.spirv.prepare import prepare

    data = prepare(compiled_hip(OWN)).encode()
    ((entry_point, found),) = adopt(data).kernels
    assert (entry_point, found.name, found.size, found.parameters[0].kind) == ("__kernel_k", "k", 16, "struct")
    described = adopt(data, given=given(k="float *x, int n")).kernels[0][1]
    assert str(described) == "k(float *x, int n)" and described.size == 16
    with pytest.raises(ArgumentValueError, match=r"of 4 bytes; .* of 16 bytes"):
        adopt(data, given=given(k="int n"))


def test_launchpaths_own_kernels_with_local_memory():
    from launchpath.compiler.spirv.prepare import prepare

    text = OWN.replace("struct", "extern __attribute__((shared)) int s[];\nstruct", 1).replace("= AT(", "= s[0] + AT(")
    found = adopt(prepare(compiled_hip(text)).encode(), given=given(k="float *x, int n")).kernels[0][1]
    assert str(found) == "k(float *x, int n)" and found.dynamic_shared


def test_launchpaths_own_kernels_with_globals_are_refused():
    from launchpath.compiler.spirv.prepare import prepare

    text = OWN.replace("struct", "__attribute__((device)) int counter = 3;\nstruct", 1).replace(
        "= AT(", "= counter++ + AT("
    )
    with pytest.raises(ArgumentValueError, match=r"(?s)'__kernel_k' uses device globals.*Program\.save"):
        adopt(prepare(compiled_hip(text)).encode())


# -- damage


def test_a_module_cut_short_anywhere():
    data = compiled("__kernel void k(__global int *x, int n) { if (n) x[0] = n; }")
    for length in range(len(data)):
        if data[length - 4 : length] == FUNCTION_END and length % 4 == 0:
            adopt(data[:length], "m")  # Clang's copies of kernels, for others to call, come last
            continue
        with pytest.raises(ArgumentValueError, match=r"^m is cut short"):
            adopt(data[:length], "m")


@pytest.mark.parametrize("value", [0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0x00010000])
def test_wrong_words(value):
    words = array.array(
        "I", compiled("struct P { int a[3]; }; __kernel void k(__global int *x, struct P p) { *x = p.a[1]; }")
    )
    for at in range(len(words)):
        changed = words[:]
        changed[at] = value
        try:
            adopt(changed.tobytes()).module.encode()
        except LaunchpathError as error:
            assert isinstance(error, ArgumentValueError | CompileError)


def test_parameter_is_as_json_wants_it(adopted):
    from launchpath.compiler.signature_json import from_json, to_json

    for _, one in adopted.kernels:
        assert from_json(to_json(one)) == one
        assert all(isinstance(parameter, Parameter) for parameter in one.parameters)


def test_the_simulated_device_runs_none(machine):
    with pytest.raises(CompileError, match="runs no SPIR-V, it is simulated"):
        lp.load(compiled(KERNELS), machine.device)
