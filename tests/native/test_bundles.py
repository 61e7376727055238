"""Registered offload bundles of Clang's: per device the entry for it is loaded, at its first use."""

from ctypes import c_float, c_int, c_void_p

import numpy as np
import pytest

import launchpath as lp
from tests.foreign_source import compiled
from tests.native import table as c
from tests.native.table import Arguments, Symbol, Table, at
from tests.unit.support import binaries

SOURCE = """
__kernel void axpy(__global const float *x, __global float *y, float a, int n) {
    int i = get_global_id(0);
    if (i < n) y[i] += a * x[i];
}
__kernel void one(__global float *y) { y[get_global_id(0)] = 1; }
"""
AMD = "hipv4-amdgcn-amd-amdhsa--"
N = 64


@pytest.fixture
def device(device):
    if device.info["driver"] != "opencl":
        pytest.skip("the entries are SPIR-V, for OpenCL devices")
    return device


@pytest.fixture(scope="module")
def entries():
    """Entries for AMD's GPUs, one of them in AMD's own SPIR-V, and SPIR-V for any device."""
    return {
        f"{AMD}gfx908": b"code for gfx908",
        "hip-spirv64-amd-amdhsa--amdgcnspirv": b"SPIR-V of AMD's",
        f"{AMD}gfx90a:xnack-": b"code for gfx90a",
        "hip-spirv64----generic": compiled(SOURCE),
    }


@pytest.fixture(scope="module")
def bundle(entries):
    return binaries.bundle_of(entries)


def launch(table, name):
    """Launch `axpy` by a symbol on the current device, and return what it computed."""
    x, y = lp.arange(N, dtype="float32"), lp.zeros(N, "float32")
    arguments = Arguments(c_void_p(x.pointer), c_void_p(y.pointer), c_float(2), c_int(N))
    assert table.launch_symbol(Symbol(name), at(), arguments, 4, arguments.sizes) == c.SUCCESS, table.text()
    return np.asarray(y).tolist()


EXPECTED = [2.0 * i for i in range(N)]


@pytest.mark.parametrize("kind", ["bytes", "path", "compressed"])
def test_the_entry_of_the_device_is_loaded(device, bundle, tmp_path, kind):
    path = tmp_path / "kernels.hipfb"
    path.write_bytes(bundle)
    what = {"bytes": bundle, "path": path, "compressed": binaries.compressed(bundle)}[kind]
    with device, lp.register(what) as registration:
        assert registration.symbols is None
        assert launch(Table(), b"axpy") == EXPECTED
        assert lp.find_kernel("one", device).name == "one"
        with pytest.raises(lp.SymbolError, match="got 'three'"):
            lp.find_kernel("three", device)
    with pytest.raises(lp.SymbolError, match="got 'axpy'"):
        lp.find_kernel("axpy", device)


def test_symbols_by_a_dict(device, bundle):
    with device, lp.register(bundle, {"scaled": "axpy"}) as registration:
        assert registration.symbols == ("scaled",)
        assert launch(Table(), b"scaled") == EXPECTED
        with pytest.raises(lp.SymbolError, match="got 'axpy'"):
            lp.find_kernel("axpy", device)
    table = Table()
    with device, lp.register(bundle, {"absent": "axqy"}):
        with pytest.raises(lp.SymbolError, match="the program has no kernel 'axqy'; it has axpy, one"):
            lp.find_kernel("absent", device)
        assert table.launch_symbol(Symbol(b"absent"), at(), None, 0, None) == c.NOT_FOUND
        assert "registered for a kernel that is not there" in table.text()


def test_nothing_is_loaded_before_the_first_use(device, tmp_path, bundle):
    path = tmp_path / "kernels.hipfb"
    with device, lp.register(path):
        path.write_bytes(bundle)
        assert launch(Table(), b"axpy") == EXPECTED
        path.unlink()
        assert launch(Table(), b"axpy") == EXPECTED


def test_two_devices_load_a_program_each(two_devices, bundle):
    with lp.register(bundle):
        kernels = [lp.find_kernel("axpy", device) for device in two_devices]
        assert [kernel.device for kernel in kernels] == two_devices
        for device in two_devices:
            with device:
                assert launch(Table(), b"axpy") == EXPECTED
        assert [lp.find_kernel("axpy", device) for device in two_devices] == kernels


def test_a_bundle_without_an_entry_for_the_device(device, entries):
    others = {name: code for name, code in entries.items() if "generic" not in name}
    table = Table()
    with device, lp.register(binaries.bundle_of(others)):
        assert table.launch_symbol(Symbol(b"axpy"), at(), None, 0, None) == c.INVALID_VALUE
        wanted = f"expected SPIR-V for {device.name!r}, an OpenCL device, "
        assert table.text() == f"the data: {wanted}got code for gfx908, amdgcnspirv, gfx90a:xnack- only"
        with pytest.raises(lp.ArgumentValueError, match="got code for gfx908, amdgcnspirv, gfx90a:xnack- only"):
            lp.find_kernel("axpy", device)
    with (
        device,
        lp.register(binaries.bundle_of({})),
        pytest.raises(lp.ArgumentValueError, match="no code for a device"),
    ):
        lp.find_kernel("axpy", device)


def test_an_entry_that_is_not_what_its_target_says(device):
    bitcode = binaries.bundle_of({"sycl-spir64-unknown-unknown": b"BC\xc0\xde"})
    with device, lp.register(bitcode), pytest.raises(lp.ArgumentValueError, match="begins with 42 43 c0 de"):
        lp.find_kernel("axpy", device)
    with device, lp.register(b"CCOB"), pytest.raises(lp.ArgumentValueError, match="truncated compressed bundle"):
        lp.find_kernel("axpy", device)
