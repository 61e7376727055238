"""Reading PTX."""

import pytest

from launchpath._compiler.binary import kernels, ptx
from launchpath.errors import ArgumentValueError
from tests.unit.support.binaries import PTX


def test_kernels_and_globals():
    binary = ptx.read(PTX, "x.ptx")
    assert (binary.kind, binary.architecture) == ("ptx", "sm_80")
    assert [kernel.entry for kernel in binary.kernels] == ["plain", "_Z5mixedPKfjt", "none", "bare"]
    plain = binary.kernels[0]
    assert [(p.offset, p.size, p.kind) for p in plain.places] == [
        (0, 8, "pointer"), (8, 4, "int32"), (16, 16, "struct"), (32, 2, "int16"), (34, 1, "int8"), (40, 8, "float64"),
        (48, 4, "float32"),
    ]  # fmt: skip
    assert plain.max_threads == 256
    assert binary.kernels[2].places == binary.kernels[3].places == ()
    assert binary.globals == [("table", 16), ("factor", 8), ("counter", 4)]


def test_signatures():
    plain, mixed, none, _ = map(kernels.signature, ptx.read(PTX, "x.ptx").kernels)
    assert str(plain) == (
        "plain(void *arg0, int32 arg1, unsigned char[16] arg2, int16 arg3, int8 arg4, float64 arg5, float32 arg6)"
    )
    assert (plain.size, plain.max_threads) == (56, 256)
    assert str(mixed) == "_Z5mixedPKfjt(const float *arg0, unsigned int arg1, unsigned short arg2)"
    assert [(p.kind, p.pointee, p.const) for p in mixed.parameters] == [
        ("pointer", "float32", True), ("uint32", None, False), ("uint16", None, False),
    ]  # fmt: skip
    assert none.size == 0


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b".address_size 64", b".address_size 32", "PTX with 32-bit addresses"),
        (b".version 8.0", b"", "lacks .version or .target"),
        (b".param .f32 plain_param_6", b".param .texref plain_param_6", "has a parameter that a launch cannot pass"),
        (b".param .f32 plain_param_6", b"nonsense", "parameter 6 of kernel 'plain' cannot be read: 'nonsense'"),
    ],
)
def test_bad(old, new, says):
    with pytest.raises(ArgumentValueError, match=says):
        ptx.read(PTX.replace(old, new), "x.ptx")


def test_is_ptx():
    assert ptx.is_ptx(PTX)
    assert ptx.is_ptx(PTX + b"\0")
    assert not ptx.is_ptx(b"int main() {}")
    assert not ptx.is_ptx(b"\x7fELF" + PTX + b"\0\0")
