"""SPIR-V of other compilers: its kernels' parameters, by the module, by compilers' notes, and by the caller's lists."""

import pytest

from launchpath._compiler.parameter_list import signature
from launchpath._compiler.signature import Parameter, Signature
from launchpath._compiler.spirv.foreign.adoption import Adopted, adopt
from launchpath._compiler.spirv.module import Module
from launchpath._compiler.spirv.opcodes import Op
from launchpath._compiler.spirv.outline import Outline
from launchpath.errors import ArgumentValueError
from tests.foreign_source import KERNELS, compiled, with_notes
from tests.unit.compiler.spirv.foreign import parameters, signatures, signatures_of

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def adopted() -> Adopted:
    return adopt(compiled(KERNELS))


# -- by the module


def test_kernels_keep_their_order_and_names(adopted):
    names = ["saxpy", "block_sum", "pair", "vectors", "scalars", "wide", "lookup", "tile", "nothing", "only_local"]
    assert [entry for entry, _ in adopted.kernels] == names == [kernel.name for _, kernel in adopted.kernels]


def test_pointers_and_numbers(adopted):
    assert parameters(signatures(adopted)["saxpy"]) == [
        ("x", "const float *", "pointer", 8, 0, "float32", True),
        ("y", "float *", "pointer", 8, 8, "float32", False),
        ("a", "float", "float32", 4, 16, None, False),
        ("n", "int", "int32", 4, 20, None, False),
    ]
    assert signatures(adopted)["saxpy"].size == 24


def test_integers_have_a_sign_where_the_module_says_so(adopted):
    scalars = signatures(adopted)["scalars"].parameters
    # Clang marks integers that are narrower than an int and unsigned; SPIR-V knows no sign of wider integers.
    kinds = ["int8", "uint8", "int16", "uint16", "int32", "int32", "int64", "int64"]
    assert [parameter.kind for parameter in scalars[1:]] == kinds
    assert [parameter.offset for parameter in scalars] == [0, 8, 9, 10, 12, 16, 20, 24, 32]
    assert [str(parameter) for parameter in scalars[:4]] == ["long *out", "char c", "unsigned char uc", "short s"]


def test_a_pointer_to_integers_of_unknown_sign_takes_any(adopted):
    assert signatures(adopted)["tile"].parameters[0].pointee is None


def test_constant_memory_is_const(adopted):
    assert parameters(signatures(adopted)["lookup"])[1] == ("table", "const float *", "pointer", 8, 8, "float32", True)


def test_layout_is_that_of_c(adopted):
    wide = signatures(adopted)["wide"]
    assert [(parameter.offset, parameter.size) for parameter in wide.parameters] == [(0, 8), (8, 1), (16, 8), (24, 4)]
    assert wide.size == 32


def test_structs_and_vectors(adopted):
    pair = signatures(adopted)["pair"]
    assert [(p.ctype, p.kind, p.size, p.align, p.offset) for p in pair.parameters[1:]] == [
        ("Pair", "struct", 12, 4, 8),
        ("Inner", "struct", 32, 8, 24),
    ]
    vectors = signatures(adopted)["vectors"]
    assert [(p.ctype, p.size, p.offset) for p in vectors.parameters[1:]] == [
        ("float4", 16, 16), ("float3", 16, 32), ("float2", 8, 48), ("int", 4, 56),
    ]  # fmt: skip
    assert vectors.size == 64 == vectors.size // vectors.align * vectors.align


def test_local_memory_is_no_parameter_but_dynamic_shared_memory(adopted):
    block_sum = signatures(adopted)["block_sum"]
    assert [parameter.name for parameter in block_sum.parameters] == ["in", "out"] and block_sum.dynamic_shared
    assert signatures(adopted)["only_local"] == Signature("only_local", (), 0, 0, True, dynamic_variable="l")
    assert not signatures(adopted)["saxpy"].dynamic_shared


def test_a_required_block_is_the_most_threads(adopted):
    assert signatures(adopted)["tile"].max_threads == 32
    assert signatures(adopted)["saxpy"].max_threads is None


def test_static_local_memory_is_counted():
    text = (
        "__kernel void k(__global int *x) { __local int s[100]; s[get_local_id(0)] = x[0]; barrier(1); x[1] = s[7]; }"
    )
    assert adopt(compiled(text)).kernels[0][1].shared == 400


def test_parameters_without_usable_names_are_called_by_their_places():
    module = Module.decode(compiled(KERNELS))
    saxpy = Outline(module).functions[next(module.find(Op.EntryPoint)).words[1]]
    gone = [i.words[1] for i in saxpy.parameters[:2]]
    module.instructions = [i for i in module.instructions if i.opcode != Op.Name or i.words[0] not in gone]
    unnamed = adopt(module.encode()).kernels[0][1]
    assert [parameter.name for parameter in unnamed.parameters] == ["arg0", "arg1", "a", "n"]


def test_signatures_go_through_json(adopted):
    from launchpath._compiler.cache.signature_json import from_json, to_json

    for _, kernel in adopted.kernels:
        assert from_json(to_json(kernel)) == kernel
        assert all(isinstance(parameter, Parameter) for parameter in kernel.parameters)


# -- by compilers' notes


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
    noted = signatures(adopt(with_notes(compiled(KERNELS), notes)))
    saxpy = [str(parameter) for parameter in noted["saxpy"].parameters]
    assert saxpy == ["const float *x", "float *y", "float a", "int n"]
    kinds = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
    assert [parameter.kind for parameter in noted["scalars"].parameters[1:]] == kinds
    assert [parameter.ctype for parameter in noted["scalars"].parameters[6:]] == ["uint", "long", "size_t"]
    assert noted["scalars"].parameters[0].pointee == "int64"
    assert (noted["tile"].parameters[0].pointee, str(noted["tile"].parameters[0])) == ("uint32", "uint *out")
    assert noted["pair"].parameters[1].ctype == "struct Pair"
    assert noted["lookup"].parameters[2].kind == "uint32"
    assert (noted["vectors"].parameters[0].ctype, noted["vectors"].parameters[0].pointee) == ("float4 *", None)
    assert (noted["vectors"].parameters[4].ctype, noted["vectors"].parameters[4].kind) == ("my_type", "int32")


def test_notes_that_contradict_the_module_are_not_believed():
    notes = {"saxpy": ("float*,float*,float,", ",,,"), "wide": ("double*,char,float,double,", ",,,,")}
    noted = signatures(adopt(with_notes(compiled(KERNELS), notes)))
    assert [parameter.kind for parameter in noted["saxpy"].parameters] == ["pointer", "pointer", "float32", "int32"]
    assert [parameter.kind for parameter in noted["wide"].parameters] == ["pointer", "int8", "float64", "float32"]


def test_runtimes_do_not_see_the_notes_any_more():
    module = adopt(with_notes(compiled(KERNELS), {"saxpy": ("float*,float*,float,int,", ",,,,")})).module
    assert not list(module.find(Op.String))


# -- by the caller's lists


def test_a_callers_signature_names_and_describes():
    lists = signatures_of(
        saxpy="const float *from, float *to, float factor, unsigned count",
        pair="struct P { int a; float b; char c; }; struct Q { double d; P p[2]; }; float *result, P p, Q q",
        tile="unsigned *out",
    )
    described = signatures(adopt(compiled(KERNELS), signatures=lists))
    assert str(described["saxpy"]) == "saxpy(const float *from, float *to, float factor, unsigned int count)"
    kinds = [parameter.kind for parameter in described["saxpy"].parameters]
    assert kinds == ["pointer", "pointer", "float32", "uint32"]
    assert [parameter.ctype for parameter in described["pair"].parameters] == ["float *", "P", "Q"]
    assert described["tile"].parameters[0].pointee == "uint32" and described["tile"].max_threads == 32
    assert described["vectors"].parameters[1].ctype == "float4"  # others are as the module declares them


def test_local_memory_may_stand_in_a_callers_signature():
    for text in ("const float *x, float *y", "__global const float *x, __local float *s, __global float *y"):
        block_sum = signatures(adopt(compiled(KERNELS), signatures=signatures_of(block_sum=text)))["block_sum"]
        assert [parameter.name for parameter in block_sum.parameters] == ["x", "y"] and block_sum.dynamic_shared


def test_words_of_opencl_c_are_understood_in_lists():
    words = signature("k", "__global const uint *x, __constant uchar *y, ulong n, float *global")
    assert [parameter.pointee for parameter in words.parameters] == ["uint32", "uint8", None, "float32"]
    assert words.parameters[1].const
    names = signature("k", "float *global, int local")
    assert [parameter.name for parameter in names.parameters] == ["global", "local"]


@pytest.mark.parametrize(
    ("kernel", "text", "says"),
    [
        ("saxpy", "float *x, float *y, double a, int n", r"saxpy.*'double a'.*2, of 8 bytes.*'float a', of 4 bytes"),
        ("saxpy", "float *x, float *y, float a, char n", r"'char n'.*of 1 byte; .*'int n', of 4 bytes"),
        ("saxpy", "float *x, float *y, int a, int n", r"'int a' as parameter 2; .*'float a', another kind"),
        ("saxpy", "float *x, float *y, float a", r"has 3 parameters; the module's has 4: const float \*x, float \*y,"),
        ("vectors", "float4 *v, float4 b, float3 t, float2 u, int n", r"'float3 t'.*12 bytes; .*'float3 three', of 16"),
        (
            "block_sum",
            "float *x",
            r"has 1 parameters; .* has 2: .*\(and a pointer to local memory, which the launch passes",
        ),
        ("other", "int n", r"no kernel 'other', which `signatures` names; it has saxpy, block_sum"),
    ],
)
def test_a_callers_signature_must_agree(kernel, text, says):
    with pytest.raises(ArgumentValueError, match=rf"^x\.spv.*{says}"):
        adopt(compiled(KERNELS), "x.spv", signatures_of(**{kernel: text}))


@pytest.mark.parametrize("text", ["flot *x", "float *x) {", "int x int", "struct Nowhere q"])
def test_a_text_that_is_no_parameter_list(text):
    with pytest.raises(ArgumentValueError, match=r"(?s)signature for 'k' is not a C parameter list:.*error:"):
        signature("k", text)


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("int *x, cudaGraphConditionalHandle h", [("int *", "pointer"), ("cudaGraphConditionalHandle", "uint64")]),
        ("CUgraphConditionalHandle h, uint n", [("CUgraphConditionalHandle", "uint64"), ("uint", "uint32")]),
        ("cudaTextureObject_t t, float4 f", [("cudaTextureObject_t", "texture"), ("float4", "struct")]),
    ],
)
def test_types_of_cudas_api(text, types):
    assert [(parameter.ctype, parameter.kind) for parameter in signature("k", text).parameters] == types


def test_a_signature_that_is_no_text():
    with pytest.raises(TypeError, match="signature of 'k': expected a str, got int"):
        signature("k", 7)
