"""Tables of addresses in LLVM's text: numbers alone, and what they are added to beside."""

import pytest

from launchpath._compiler.llvm_text.rewritings.address_tables import SharedAddressError, has_tables, placed_apart
from launchpath._compiler.llvm_text.rewritings.addresses import addresses
from launchpath._compiler.llvm_text.types import Types, UnknownTypeError
from tests.unit.compiler.test_compile import compiled

BUF = "@buf = addrspace(1) global [64 x i32] zeroinitializer, align 4\n"
GENERIC = "ptr addrspace(4)"
AT_BUF = f"addrspacecast (ptr addrspace(1) @buf to {GENERIC})"


@pytest.mark.parametrize(
    ("of", "layout"),
    [
        ("i1", (1, 1)), ("i24", (4, 4)), ("i128", (16, 8)), ("half", (2, 2)), ("double", (8, 8)),
        ("ptr addrspace(4)", (8, 8)), ("[3 x [2 x i16]]", (12, 2)), ("<3 x float>", (16, 16)),
        ("{ i8, { i16, i8 }, i64 }", (16, 8)), ("<{ i8, i64 }>", (9, 1)), ("%pair", (16, 8)), ('%"a, b"', (4, 4)),
        ("[0 x double]", (0, 8)), ("{}", (0, 1)),
    ],
)  # fmt: skip
def test_layouts(of, layout):
    assert Types('%pair = type { ptr, i8 }\n%"a, b" = type { float }\n').layout(of) == layout


@pytest.mark.parametrize(
    ("of", "value", "expected"),
    [
        ("ptr addrspace(1)", "@buf", [("@buf", 0, 0)]),
        (GENERIC, f"getelementptr inbounds nuw (i8, {GENERIC} {AT_BUF}, i64 12)", [("@buf", 12, 0)]),
        (GENERIC, f"getelementptr inrange(-8, 8) (%pair, {GENERIC} {AT_BUF}, i64 -1, i32 1)", [("@buf", -8, 0)]),
        (GENERIC, f"getelementptr ([4 x %pair], {GENERIC} {AT_BUF}, i64 1, i64 2, i32 1)", [("@buf", 104, 0)]),
        ("i64", "add (i64 ptrtoint (ptr addrspace(1) @buf to i64), i64 5)", [("@buf", 5, 0)]),
        ("i64", "sub (i64 ptrtoint (ptr addrspace(1) @buf to i64), i64 5)", [("@buf", -5, 0)]),
        ("{ i8, [2 x ptr] }", "{ i8 1, [2 x ptr] [ptr null, ptr @buf] }", [("@buf", 0, 16)]),
        ("<{ i8, ptr, [3 x i8] }>", '<{ i8 1, ptr @"a, ]", [3 x i8] c"@]," }>', [('@"a, ]"', 0, 1)]),
        ("{ <2 x i32>, ptr }", "{ <2 x i32> <i32 1, i32 -2>, ptr @buf }", [("@buf", 0, 8)]),
        ("{ %pair, float, ptr }", "{ %pair zeroinitializer, float 0x7FF8000000000000, ptr @buf }", [("@buf", 0, 24)]),
        ("[2 x i8]", 'c"@a"', []), ("float", "1.0e-3", []), ("{ ptr, i1 }", "{ ptr undef, i1 true }", []),
    ],
)  # fmt: skip
def test_addresses_of_a_value(of, value, expected):
    types = Types("%pair = type { ptr, i8 }\n")
    read, end = addresses(types, f"{value}, align 8", of, 0)
    assert [(address.variable, address.addend, address.offset) for address in read] == expected
    assert end == len(value)


@pytest.mark.parametrize(
    ("of", "value"),
    [
        ("i32", "ptrtoint (ptr addrspace(1) @buf to i32)"),
        ("i64", "sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @b to i64))"),
        ("i64", "xor (i64 ptrtoint (ptr @a to i64), i64 1)"), ("x86_fp80", "0xK3FFF8000000000000000"),
        ("{ x86_fp80, ptr }", "{ x86_fp80 0xK3FFF8000000000000000, ptr @buf }"),
        ("ptr", "getelementptr (%unknown, ptr @buf, i64 1)"),
    ],
)  # fmt: skip
def test_what_is_not_known_is_left(of, value):
    with pytest.raises(UnknownTypeError):
        if of != "x86_fp80":
            addresses(Types(""), f"{value}, align 8", of, 0)
        else:
            Types("").size(of)


def test_numbers_and_what_they_are_added_to():
    text = (
        f"{BUF}@two = addrspace(1) constant {{ {GENERIC}, i8, {GENERIC} }} "
        f"{{ {GENERIC} {AT_BUF}, i8 7, {GENERIC} getelementptr (i8, {GENERIC} {AT_BUF}, i64 64) }}, align 8\n"
    )
    assert has_tables(text)
    apart = placed_apart(text)
    assert apart.text == (
        f"{BUF}@two = addrspace(1) externally_initialized constant {{ {GENERIC}, i8, {GENERIC} }} "
        f"{{ {GENERIC} null, i8 7, {GENERIC} inttoptr (i64 64 to {GENERIC}) }}, align 8\n"
        f"@__lp_bases.0 = internal addrspace(1) constant {{ ptr addrspace(1), {{ {GENERIC}, i8, {GENERIC} }} }} "
        f"{{ ptr addrspace(1) @two, {{ {GENERIC}, i8, {GENERIC} }} "
        f"{{ {GENERIC} {AT_BUF}, i8 7, {GENERIC} {AT_BUF} }} }}, align 8\n"
    )
    assert apart.is_lost(b"") and not apart.is_lost(b"\0__lp_bases.0\0")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (BUF, False), (f"{BUF}@p = addrspace(1) global {GENERIC} {AT_BUF}, align 8\n", False),
        ("@a = addrspace(1) global ptr addrspace(1) @a, align 8\n", True),
        ("@s = internal addrspace(3) global i32 undef, align 4\n@p = internal addrspace(1) constant ptr addrspace(3) @s",
         True),
        ("define void @f() {\n}\n@p = addrspace(1) global ptr getelementptr (i8, ptr @f, i64 1), align 8\n", False),
        (f"{BUF}@llvm.used = appending addrspace(1) global [1 x ptr] [ptr getelementptr (i8, ptr @buf, i64 1)]\n", False),
    ],
)  # fmt: skip
def test_what_is_to_be_apart(text, wanted):
    assert has_tables(text) is wanted


SHARED = f"""
@s = internal addrspace(3) global [8 x float] undef, align 4
@__const.k.b = private unnamed_addr addrspace(1) constant {{ i64, {GENERIC}, i64 }} {{ i64 3, {GENERIC} getelementptr (i8, \
{GENERIC} addrspacecast (ptr addrspace(3) @s to {GENERIC}), i64 4), i64 ptrtoint (ptr addrspace(3) @s to i64) }}, align 8
define void @k() {{
  call void @llvm.memcpy.p4.p1.i64({GENERIC} align 8 %b, ptr addrspace(1) align 8 @__const.k.b, i64 SIZE, i1 false)
}}
"""
COPY = f"call void @llvm.memcpy.p4.p1.i64({GENERIC} align 8 %b, ptr addrspace(1) align 8 @__const.k.b"
STORES = f"""
  {COPY}, i64 SIZE, i1 false)
  %__lp_at_1 = getelementptr i8, {GENERIC} %b, i64 8
  %__lp_address_1 = getelementptr i8, {GENERIC} addrspacecast (ptr addrspace(3) @s to {GENERIC}), i64 4
  store {GENERIC} %__lp_address_1, {GENERIC} %__lp_at_1, align 8
"""
SECOND = f"""  %__lp_at_2 = getelementptr i8, {GENERIC} %b, i64 16
  %__lp_address_2.p = getelementptr i8, {GENERIC} addrspacecast (ptr addrspace(3) @s to {GENERIC}), i64 0
  %__lp_address_2 = ptrtoint {GENERIC} %__lp_address_2.p to i64
  store i64 %__lp_address_2, {GENERIC} %__lp_at_2, align 8
"""


@pytest.mark.parametrize(("size", "stores"), [("24", f"{STORES}{SECOND}"), ("16", STORES)])
def test_addresses_of_shared_variables_are_stored_where_they_are_copied(size, stores):
    text = placed_apart(SHARED.replace("SIZE", size)).text
    assert f"{{ i64 3, {GENERIC} null, i64 0 }}, align 8\n" in text
    assert f"{stores.replace('SIZE', size)}}}" in text


def test_a_table_of_shared_variables_that_is_read_where_it_is_is_refused():
    read = f"  %v = load {GENERIC}, ptr addrspace(1) @__const.k.b\n}}\n"
    with pytest.raises(SharedAddressError, match="'b' is initialized with the address of a __shared__ variable"):
        placed_apart(SHARED.replace("SIZE", "24").replace("}\n", read))


@pytest.mark.compiles
@pytest.mark.parametrize("second", ["t", "s + 1"])
def test_shared_variables_stay_out_of_the_block_of_globals(second):
    image = compiled(
        "__global__ void k(float *o, int c) {\n  __shared__ float s[32], t[32];\n"
        f"  float *b[2] = {{s, {second}}};\n  b[c][o[0] > 0] = 1;\n  o[0] = s[0] + t[0];\n}}"
    )
    assert image.globals_size <= 16
