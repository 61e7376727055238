"""The block of device globals: what is in it, where, and what it begins with."""

import struct

import numpy as np
import pytest

from launchpath._compiler.spirv.enumerants import Storage
from launchpath._compiler.spirv.globals.block import Globals, Symbol
from launchpath._compiler.spirv.module import Module
from launchpath._compiler.spirv.names import demangle
from launchpath._compiler.spirv.opcodes import Op
from launchpath._compiler.spirv.prepare import Prepared, prepare
from launchpath.errors import CompileError
from tests.unit.support.spirv_source import Writer, compiled, sound

SOURCE = """
namespace foo {
    __device__ int bar = 7;
    __constant__ float tab[4] = {1, 2, 3, 4};
    namespace { __device__ double anon[3] = {1.5}; }
}
__device__ float late[4];
static __device__ float st = 3.0f;
static __constant__ int quiet[4];
struct Parts { int a; double b; char c[5]; short d[3]; };
__device__ Parts parts[2] = {{1, 2, {3, 4}, {5}}, {6, 7.5, {}, {8, 9, 10}}};
struct __attribute__((packed)) Packed { char a; int b; };
__device__ Packed packed = {1, 0x01020304};
__device__ bool flag = true;
__device__ _Float16 half = 1.5;
__device__ int __attribute__((ext_vector_type(3))) three = {1, 2, 3};
__device__ long negative = -2;
__device__ const int lut[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ int next() { static __device__ int n = 5; return ++n; }
template <class T> struct Of { static __device__ T member; };
template <class T> __device__ T Of<T>::member = 11;

__device__ int *whole = &foo::bar;
__device__ float *inside = foo::tab + 2;
__device__ double *deep = &parts[1].b;
__device__ short *deeper = &parts[1].d[2];
__device__ float *before = foo::tab - 1;
__device__ unsigned long number = (unsigned long)&foo::tab[1];
__device__ const char *words[3] = {"one", "two", &"three"[2]};
__device__ const char *const fixed[2] = {"four", "five"};
__device__ const int *table = lut;
__device__ void *matrix[2][2] = {{&whole, nullptr}, {nullptr, &parts[1]}};

static void host() { (void)&st; (void)&quiet; (void)&foo::anon; }
PARAMETERS(16)
KERNEL all(Block block) {
    int n = AT(int, 8);
    double *out = AT(double *, 0);
    out[0] = foo::bar++ + foo::tab[n] + foo::anon[n] + st + quiet[n] + lut[n] + next() + Of<int>::member + *whole;
    out[1] = fixed[n][0] + words[n][0] + table[n] + parts[n].b;
    static const int inner[4] = {3, 1, 4, 1};
    out[2] = inner[n];
    printf("%s", words[n]);
}
KERNEL few(Block block) { *AT(float *, 0) = foo::tab[1]; }
KERNEL none(Block block) { *AT(float *, 0) = lut[AT(int, 8)]; }
"""


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    return prepare(compiled(SOURCE))


@pytest.fixture(scope="module")
def symbols(prepared: Prepared) -> dict[str, Symbol]:
    return {symbol.name: symbol for symbol in prepared.globals.symbols}


def filled(block: Globals, base: int) -> bytes:
    """The initial contents of a block of globals at an address."""
    image = bytearray(block.image)
    for offset, addend in block.relocations:
        image[offset : offset + 8] = ((base + addend) & 0xFFFFFFFFFFFFFFFF).to_bytes(8, "little")
    return bytes(image)


def content(prepared: Prepared, symbol: Symbol, base: int = 0x1000) -> bytes:
    return filled(prepared.globals, base)[symbol.offset : symbol.offset + symbol.size]


@pytest.mark.compiles
def test_names(symbols: dict[str, Symbol]) -> None:
    wanted = "foo::bar foo::tab foo::anon late st quiet parts packed flag half three negative whole inside deep deeper"
    assert set(wanted.split()) <= symbols.keys()
    assert {"_ZZ4nextvE1n", "_ZN2OfIiE6memberE", "words", "table", "matrix", "number", "before"} <= symbols.keys()
    assert not symbols.keys() & {"lut", "fixed", "inner"}
    assert not [name for name in symbols if "hip_cuid" in name or name.startswith(".str")]


@pytest.mark.compiles
def test_places(prepared: Prepared, symbols: dict[str, Symbol]) -> None:
    block = prepared.globals
    assert len(block.image) == block.size
    assert block.alignment == 16
    end = 0
    for symbol in block.symbols:
        assert symbol.offset % symbol.alignment == 0
        assert symbol.offset >= end
        end = symbol.offset + symbol.size
    assert end <= block.size
    assert symbols["parts"].size == 64
    assert symbols["packed"].size == 5
    assert symbols["three"].size == 16
    assert symbols["foo::tab"].constant
    assert not symbols["foo::bar"].constant


@pytest.mark.compiles
def test_zeros_come_last(prepared: Prepared, symbols: dict[str, Symbol]) -> None:
    block = prepared.globals
    assert not any(block.image[block.initialized :])
    assert symbols["late"].offset >= block.initialized
    assert symbols["quiet"].offset >= block.initialized
    assert symbols["foo::bar"].offset < block.initialized


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("foo::bar", struct.pack("<i", 7)),
        ("foo::tab", struct.pack("<4f", 1, 2, 3, 4)),
        ("foo::anon", struct.pack("<3d", 1.5, 0, 0)),
        ("late", bytes(16)),
        ("st", struct.pack("<f", 3)),
        ("packed", struct.pack("<bi", 1, 0x01020304)),
        ("flag", b"\1"),
        ("half", np.float16(1.5).tobytes()),
        ("negative", struct.pack("<q", -2)),
        ("_ZZ4nextvE1n", struct.pack("<i", 5)),
        ("_ZN2OfIiE6memberE", struct.pack("<i", 11)),
        ("parts", struct.pack("<" + "i4xd5sx3h4x" * 2, 1, 2, b"\3\4", 5, 0, 0, 6, 7.5, b"", 8, 9, 10)),
    ],
)
def test_initial_bytes(prepared: Prepared, symbols: dict[str, Symbol], name: str, wanted: bytes) -> None:
    assert content(prepared, symbols[name]) == wanted


@pytest.mark.compiles
def test_vectors_of_three(prepared: Prepared, symbols: dict[str, Symbol]) -> None:
    assert content(prepared, symbols["three"])[:12] == struct.pack("<3i", 1, 2, 3)


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("name", "target", "addend"),
    [
        ("whole", "foo::bar", 0),
        ("inside", "foo::tab", 8),
        ("deep", "parts", 32 + 8),
        ("deeper", "parts", 32 + 22 + 4),
        ("before", "foo::tab", -4),
        ("number", "foo::tab", 4),
    ],
)
def test_addresses(prepared: Prepared, symbols: dict[str, Symbol], name: str, target: str, addend: int) -> None:
    base = 0x7F0000001000
    (address,) = struct.unpack("<Q", content(prepared, symbols[name], base))
    assert address == base + symbols[target].offset + addend
    assert (symbols[name].offset, symbols[target].offset + addend) in prepared.globals.relocations


@pytest.mark.compiles
def test_addresses_in_arrays(prepared: Prepared, symbols: dict[str, Symbol]) -> None:
    base = 0x7F0000001000
    addresses = struct.unpack("<4Q", content(prepared, symbols["matrix"], base))
    assert addresses == (base + symbols["whole"].offset, 0, 0, base + symbols["parts"].offset + 32)


@pytest.mark.compiles
def test_strings_and_constants_that_globals_point_to(prepared: Prepared, symbols: dict[str, Symbol]) -> None:
    image = filled(prepared.globals, 0)
    starts = struct.unpack("<3Q", content(prepared, symbols["words"], 0))
    assert [image[at:].split(b"\0")[0] for at in starts] == [b"one", b"two", b"ree"]
    (start,) = struct.unpack("<Q", content(prepared, symbols["table"], 0))
    assert struct.unpack("<8i", image[start : start + 32]) == tuple(range(1, 9))


@pytest.mark.compiles
def test_who_uses_the_block(prepared: Prepared) -> None:
    assert prepared.kernels["all"].globals
    assert prepared.kernels["few"].globals


@pytest.mark.compiles
def test_what_stays_in_the_module(prepared: Prepared) -> None:
    outline = sound(prepared.module)
    left = {outline.name(i.words[1]) for i in outline.variables(Storage.CrossWorkgroup)}
    # The static of a function; printf's format. `lut` went: a global points to it, and it must not be there twice.
    assert {name for name in left if not name.startswith(".str")} == {"_ZZ3allE5inner"}
    assert all(len(i.words) == 4 for i in outline.variables(Storage.CrossWorkgroup))
    assert not [i for i in outline.declarations if i.opcode == Op.SpecConstantOp]


@pytest.mark.compiles
def test_constants_that_nothing_points_to_stay() -> None:
    source = """
    __device__ const float table[4] = {1, 2, 3, 4};
    PARAMETERS(16) KERNEL k(Block block) { *AT(float *, 0) = table[AT(int, 8)]; }
    """
    known = prepare(compiled(source))
    assert known.globals.size == 0
    assert not known.kernels["k"].globals
    assert filled(known.globals, 0) == b""


@pytest.mark.compiles
def test_large_and_zero() -> None:
    source = "__device__ double grid[1 << 22]; PARAMETERS(8) KERNEL k(Block block) { grid[AT(int, 0)] = 1; }"
    block = prepare(compiled(source)).globals
    assert block.size == 8 << 22
    assert block.initialized == 0


@pytest.mark.compiles
def test_a_global_that_is_only_declared() -> None:
    source = "extern __device__ int elsewhere; PARAMETERS(8) KERNEL k(Block block) { *AT(int *, 0) = elsewhere; }"
    with pytest.raises(CompileError, match=r"'elsewhere'.*not defined"):
        prepare(compiled(source))


@pytest.mark.compiles
def test_the_address_of_a_function() -> None:
    source = """
    __device__ int twice(int n) { return 2 * n; }
    namespace ns { __device__ int (*chosen)(int) = twice; }
    PARAMETERS(8) KERNEL k(Block block) { *AT(int *, 0) = ns::chosen != nullptr; }
    """
    with pytest.raises(CompileError, match="'ns::chosen' begins with the address of a function"):
        prepare(compiled(source, inlined=False))


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        ("counter", "counter"),
        ("_ZL4coef", "coef"),
        ("_ZN3foo3barE", "foo::bar"),
        ("_ZN3fooL3barE", "foo::bar"),
        ("_ZN12_GLOBAL__N_11xE", "x"),
        ("_ZN3foo12_GLOBAL__N_14anonE", "foo::anon"),
        ("_ZN2TSIiE1mE", "_ZN2TSIiE1mE"),
        ("_ZZ4nextvE1n", "_ZZ4nextvE1n"),
        ("_Z2vtIiE", "_Z2vtIiE"),
        ("_Z", "_Z"),
        ("_ZN3fo", "_ZN3fo"),
        ("_ZN3foo", "_ZN3foo"),
        ("_ZL9short", "_ZL9short"),
    ],
)
def test_demangle(mangled: str, name: str) -> None:
    assert demangle(mangled) == name


def test_expressions_that_functions_use() -> None:
    """A constant made of a global's address: the function computes it from the block's address."""
    writer = Writer()
    writer.put(Op.Capability, 6)
    writer.put(Op.MemoryModel, 2, 2)
    header = len(writer.module.instructions)
    void, char, word = writer.make(Op.TypeVoid), writer.make(Op.TypeInt, 8, 0), writer.make(Op.TypeInt, 32, 0)
    long = writer.make(Op.TypeInt, 64, 0)
    kind = writer.make(Op.TypeFunction, void)
    words, generic = writer.pointer(Storage.CrossWorkgroup, word), writer.pointer(Storage.Generic, char)
    slot = writer.pointer(Storage.CrossWorkgroup, generic)
    seven, four = writer.make(Op.Constant, word, 7), writer.make(Op.Constant, long, 4, 0)
    first = writer.make(Op.Variable, words, Storage.CrossWorkgroup, seven)
    second = writer.make(Op.Variable, words, Storage.CrossWorkgroup, seven)
    cast = writer.make(Op.SpecConstantOp, generic, Op.PtrCastToGeneric, second)
    address = writer.make(Op.SpecConstantOp, generic, Op.InBoundsPtrAccessChain, cast, four)
    holder = writer.make(Op.Variable, slot, Storage.CrossWorkgroup, address)
    function = writer.make(Op.Function, void, 0, kind)
    writer.make(Op.Label)
    writer.put(Op.Store, holder, address)
    writer.put(Op.Store, first, seven)
    writer.put(Op.Return)
    writer.put(Op.FunctionEnd)
    entry = Writer()
    entry.put(Op.EntryPoint, 6, function, "k")
    writer.module.instructions.insert(header, entry.module.instructions[0])
    known = prepare(writer.module.encode())
    outline = sound(Module.decode(known.encode()))
    (kernel,) = outline.functions.values()
    assert len(kernel.parameters) == 1
    assert known.globals.relocations == ((8, 8),)
    assert not [i for i in outline.declarations if i.opcode == Op.Variable]
