"""Which kind of binary something is, and whether a device takes it."""

import pytest

from launchpath._compiler.binary import form
from launchpath.errors import ArgumentValueError
from tests.unit.support import binaries
from tests.unit.support.rtc import cuda, hip


def read(data, target):
    return form.read(data, form.form_of(data), target, "the file", "Some GPU")


def test_of():
    assert form.form_of(binaries.PTX) == "ptx"
    assert form.form_of(binaries.fatbin()) == "fatbin"
    assert form.form_of(binaries.bundle()) == form.form_of(binaries.compressed(binaries.bundle())) == "bundle"
    assert form.form_of(binaries.hsaco()) == "hsaco"
    assert (
        form.form_of(b"\x7fELF")
        == form.form_of(b"\x7fELF\x02" + b"\0" * 60)
        == form.form_of(b"")
        == form.form_of(b"text")
        == ""
    )


def test_another_kind_of_device():
    with pytest.raises(
        ArgumentValueError, match="the file is PTX, for CUDA devices only; 'Some GPU' is a device of HIP"
    ):
        read(binaries.PTX, hip())
    with pytest.raises(
        ArgumentValueError, match="the file is an HSACO, for HIP devices only; 'Some GPU' is a device of CUDA"
    ):
        read(binaries.hsaco(), cuda())
    with pytest.raises(ArgumentValueError, match="a device of CUDA, got code for gfx908, gfx90a only"):
        read(binaries.bundle(gfx908=b"x", gfx90a=b"x"), cuda())


def test_another_architecture():
    with pytest.raises(ArgumentValueError, match="the file is for gfx90a; 'Some GPU' is gfx1030"):
        read(binaries.hsaco(), hip("gfx1030"))
    with pytest.raises(ArgumentValueError, match="the file is for sm_80; 'Some GPU' is sm_75"):
        read(binaries.PTX, cuda("sm_75"))
    with pytest.raises(ArgumentValueError, match="the file is for sm_80a; 'Some GPU' is sm_90"):
        read(binaries.PTX.replace(b"sm_80", b"sm_80a"), cuda("sm_90"))
    assert read(binaries.PTX, cuda("sm_120")).architecture == "sm_80"
