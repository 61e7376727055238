"""Reading Clang's offload bundles."""

import pytest

from launchpath._compiler.binary import bundle, compressed
from launchpath.errors import ArgumentValueError
from tests.unit.support import binaries


def both(**more):
    return binaries.bundle(gfx908=binaries.hsaco("gfx908"), gfx90a=binaries.hsaco(), **more)


@pytest.mark.processes
def test_the_devices_is_taken():
    assert bundle.read(both(), "x", "gfx90a:sramecc+:xnack-").architecture == "gfx90a"
    assert bundle.read(both(), "x", "gfx908").architecture == "gfx908"


def test_features():
    data = binaries.bundle(gfx90a__xnack_on=b"with", gfx90a__xnack_off=b"without")
    assert bundle.parts(data, "x") == {"gfx90a:xnack+": b"with", "gfx90a:xnack-": b"without"}
    with pytest.raises(
        ArgumentValueError, match="x: expected code for gfx1030, got code for gfx90a:xnack\\+, gfx90a:xnack- only"
    ):
        bundle.read(data, "x", "gfx1030")


def test_spirv():
    amd, any_device = "hip-spirv64-amd-amdhsa--amdgcnspirv", "hip-spirv64-unknown-unknown--generic"
    module = b"\x03\x02\x23\x07 and so on"
    data = binaries.bundle_of({amd: b"AMD's", any_device: module, "openmp-spirv64-intel": b"another's"})
    assert bundle.parts(data, "x") == {"amdgcnspirv": b"AMD's", "spirv64": module, "openmp-spirv64-intel": b"another's"}
    assert bundle.spirv(data, "x", "a CPU") == bundle.spirv(binaries.compressed(data), "x", "a CPU") == module
    with pytest.raises(
        ArgumentValueError, match="x: expected SPIR-V for 'a CPU', an OpenCL device, got code for gfx90a"
    ):
        bundle.spirv(binaries.bundle(gfx90a=b"code"), "x", "a CPU")


@pytest.mark.processes
@pytest.mark.parametrize("version", [1, 2, 3])
def test_compressed(version):
    assert bundle.read(binaries.compressed(both(), version), "x", "gfx90a").architecture == "gfx90a"


@pytest.mark.processes
def test_zstandard(monkeypatch):
    plain = both()
    packed = binaries.compressed(plain, method=1, data=b"packed")
    monkeypatch.setattr(
        compressed, "_zstd", lambda: lambda data, most: plain if (data, most) == (b"packed", len(plain) + 1) else b""
    )
    assert bundle.read(packed, "x", "gfx908").architecture == "gfx908"
    monkeypatch.setattr(compressed, "_zstd", lambda: None)
    with pytest.raises(ArgumentValueError, match="x is compressed by Zstandard"):
        bundle.read(packed, "x", "gfx908")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"CCOB", "truncated"),
        (b"CCOB\x09\0\0\0", "unknown version 9"),
        (b"CCOB\x02\0\x07\0" + b"\0" * 16, "unknown method 7"),
        (b"CCOB\x02\0\0\0" + b"\0" * 16 + b"nonsense", "damaged"),
        (binaries.compressed(b"no bundle"), "it does not decompress to a bundle"),
        (b"__CLANG_OFFLOAD_BUNDLE__", "truncated or damaged"),
        (b"__CLANG_OFFLOAD_BUNDLE__\x02" + b"\0" * 7, "not all of its 2 targets are named"),
        (b"__CLANG_OFFLOAD_BUNDLE__" + b"\xff" * 8, "truncated or damaged"),
        (binaries.bundle(gfx90a=b"12345678")[:-4], "lies beyond its end"),
        (binaries.bundle(), "got no code for a device"),
    ],
)
def test_bad(data, says):
    with pytest.raises(ArgumentValueError, match=f"x.*{says}"):
        bundle.read(data, "x", "gfx90a")
