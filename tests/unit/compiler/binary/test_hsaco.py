"""Reading HSACOs, as Clang makes them."""

import msgpack
import pytest

from launchpath._compiler.binary import elf, hsaco, kernels
from launchpath.errors import ArgumentValueError
from tests.unit.support import binaries


def test_read():
    data = binaries.hsaco()
    assert elf.machine(data) == elf.AMDGPU
    contents = hsaco.read(data, "x.hsaco")
    assert (contents.kind, contents.architecture) == ("hsaco", "gfx90a")
    by_entry = {kernel.entry: kernel for kernel in contents.kernels}
    assert [(p.offset, p.size, p.kind, p.name) for p in by_entry["plain"].places] == [
        (0, 8, "pointer", "x"), (8, 4, None, "n"), (16, 16, None, ""), (32, 1, None, "c"),
    ]  # fmt: skip
    assert by_entry["_Z5mixedPfi"].max_threads == 64
    assert str(kernels.signature(by_entry["_Z5mixedPfi"])) == "_Z5mixedPfi(float *x, int n)"
    assert contents.globals == [("counter", 4)]


def test_damaged():
    data = binaries.hsaco()
    for end in (64, 300, len(data) // 2):
        with pytest.raises(ArgumentValueError, match="x.hsaco"):
            hsaco.read(data[:end], "x.hsaco")
    at = data.index(b"amdhsa.kernels")
    with pytest.raises(ArgumentValueError, match="cannot be read"):
        hsaco.read(data[:at] + b"amdhsa.KERNELS" + data[at + 14 :], "x.hsaco")
    with pytest.raises(ArgumentValueError, match="not msgpack"):
        hsaco.read(data[: at - 2] + b"\xc1" + data[at - 1 :], "x.hsaco")
    with pytest.raises(ArgumentValueError, match="not msgpack"):  # a list as a key
        hsaco.read(data.replace(b"\xaeamdhsa.kernels", b"\x91\xadhsa.kernels.."), "x.hsaco")
    with pytest.raises(ArgumentValueError, match="without metadata"):
        hsaco.read(data.replace(b"AMDGPU\0", b"AMDGPX\0"), "x.hsaco")


def test_bytes_changed_anywhere_are_no_crash():
    data = binaries.hsaco()
    for at in range(16, len(data), 37):
        try:
            hsaco.read(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :], "x.hsaco")
        except ArgumentValueError as error:
            assert "x.hsaco" in str(error)


def test_opencls_parameters(monkeypatch):
    kinds = {"image": 8, "hidden_block_count_x": 8, "dynamic_shared_pointer": 4}
    image, hidden, local = (
        {".name": "k", ".args": [{".offset": 0, ".size": size, ".value_kind": kind}]} for kind, size in kinds.items()
    )
    monkeypatch.setattr(msgpack, "unpackb", lambda *_, **__: {"amdhsa.kernels": [image]})
    with pytest.raises(ArgumentValueError, match=r"^x.hsaco: kernel 'k' has a parameter that .* cannot pass: image$"):
        hsaco.read(binaries.hsaco(), "x.hsaco")
    assert hsaco._kernel(hidden, "x").places == ()
    assert str(kernels.signature(hsaco._kernel(local, "x"))) == "k(unsigned char[4] arg0)", "an offset is no address"


@pytest.mark.parametrize(
    ("target", "device", "runs"),
    [
        ("gfx90a", "gfx90a", True),
        ("gfx90a", "gfx90a:sramecc+:xnack-", True),
        ("gfx90a:xnack-", "gfx90a:sramecc+:xnack-", True),
        ("gfx90a:xnack+", "gfx90a:sramecc+:xnack-", False),
        ("gfx90a:sramecc+:xnack-", "gfx90a", False),
        ("gfx908", "gfx90a", False),
    ],
)
def test_runs_on(target, device, runs):
    assert hsaco.runs_on(target, device) == runs
