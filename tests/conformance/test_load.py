"""Programs that are loaded from binaries of others: SPIR-V and PTX, and what is neither."""

import numpy as np
import pytest

import launchpath as lp
from tests.foreign_source import GLOBALS, KERNELS, compiled, renamed, with_notes

N = 1000
SPIRV = pytest.mark.opencl_only("SPIR-V is for OpenCL devices; tests/gpu and tests/unit load other binaries")
PAIR = np.dtype([("a", "i4"), ("b", "f4"), ("c", "i1")], align=True)
INNER = np.dtype([("d", "f8"), ("pairs", PAIR, (2,))], align=True)


@pytest.fixture(scope="module")
def loaded(device):
    return lp.load(compiled(KERNELS), device)


def on(device, values, dtype=None):
    return lp.asarray(np.asarray(values, dtype), device=device)


# -- SPIR-V


@SPIRV
def test_pointers_and_numbers(device, loaded):
    x, y = np.linspace(-1, 1, N, dtype="float32"), np.arange(N, dtype="float32")
    there = on(device, y)
    loaded.saxpy[4, 256](on(device, x), there, 0.5, N)
    np.testing.assert_allclose(there.to_numpy(), y + np.float32(0.5) * x, rtol=1e-6)


@SPIRV
def test_local_memory_is_the_launchs_shared_memory(device, loaded):
    x = np.random.default_rng(1).random(2048).astype("float32")
    out = lp.zeros(16, "float32", device)
    loaded.block_sum[16, 128, None, 128 * 4](on(device, x), out)
    np.testing.assert_allclose(out.to_numpy(), x.reshape(16, 128).sum(1), rtol=1e-5)


@SPIRV
def test_structs_are_every_threads_own(device, loaded):
    out = lp.zeros(N, "float32", device)
    p = np.array((3, 0.5, -2), PAIR)
    q = np.array((0.25, [(10, 0.0, 0), (0, 100.0, 0)]), INNER)
    loaded.pair[10, 100](out, p, q)
    a = 3 + np.arange(N)
    np.testing.assert_array_equal(out.to_numpy(), (a - 1 + 0.25 + 10 + 100 + a).astype("float32"))


@SPIRV
def test_vectors(device, loaded):
    v = np.random.default_rng(2).random((N, 4)).astype("float32")
    by, three, two = (np.arange(1, n + 1, dtype="float32") for n in (4, 3, 2))
    there = on(device, v)
    # A vector of three has the room of four.
    loaded.vectors[4, 256](there, by, np.append(three, np.float32(0)), two, N)
    np.testing.assert_allclose(there.to_numpy(), v * by + np.append(three, two[1]), rtol=1e-6)


@SPIRV
def test_numbers_of_all_widths(device, loaded):
    out = lp.zeros(8, "int64", device)
    values = [-100, 200, -30000, 60000, -(2**31), 2**31 - 1, -(2**63), 2**63 - 1]
    loaded.scalars[1, 1](out, *values)
    assert out.to_numpy().tolist() == values


@SPIRV
def test_numbers_between_strictly_aligned_ones(device, loaded):
    out = lp.zeros(1, "float64", device)
    loaded.wide[1, 1](out, 7, 0.125, 100.5)
    assert out.to_numpy()[0] == 107.625


@SPIRV
def test_constant_memory(device, loaded):
    out = lp.zeros(64, "float32", device)
    loaded.lookup[2, 32](out, on(device, [1.5, 2.5, 3.5], "float32"), 3)
    np.testing.assert_array_equal(out.to_numpy(), np.resize(np.array([1.5, 2.5, 3.5], "float32"), 64))


@SPIRV
def test_a_required_block(device, loaded):
    out = lp.zeros(64, "uint32", device)
    loaded.tile[(1, 2), (8, 4)](out)
    np.testing.assert_array_equal(out.to_numpy(), np.tile(np.arange(32, dtype="uint32"), 2))
    for block in ((8, 8), (8, 2), (4, 8)):
        with pytest.raises(
            (lp.ConfigurationError, lp.DriverError), match=r"got 64: use a smaller|CL_INVALID_WORK_GROUP_SIZE"
        ):
            loaded.tile[(1, 1), block](out)


@SPIRV
def test_kernels_without_arguments(device, loaded):
    loaded.nothing[1, 1]()
    loaded.only_local[1, 8, None, 8 * 4]()
    device.synchronize()


@SPIRV
def test_arguments_are_checked(device, loaded):
    x = lp.zeros(4, "float32", device)
    with pytest.raises(
        lp.SignatureError, match=r"saxpy: parameter 1 \(float \*y\): expected an array of float32, got .*float64"
    ):
        loaded.saxpy[1, 4](x, lp.zeros(4, "float64", device), 1.0, 4)
    with pytest.raises(lp.SignatureError, match=r"saxpy: parameter 3 \(int n\): expected an int"):
        loaded.saxpy[1, 4](x, x, 1.0, 4.5)
    loaded.saxpy[1, 4](n=4, a=1.0, x=x, y=x)


@SPIRV
def test_signatures_of_ones_own(device, tmp_path):
    file = tmp_path / "kernels.spv"
    file.write_bytes(compiled(KERNELS))
    lists = {
        "scalars": "long *o, char a, unsigned char b, short c, unsigned short d, int e, unsigned f, long g, size_t h"
    }
    program = lp.load(file, device, lists)
    out = lp.zeros(8, "int64", device)
    program.scalars[1, 1](out, 1, 2, 3, 4, 5, 2**32 - 1, 7, h=2**64 - 1)
    assert out.to_numpy().tolist() == [1, 2, 3, 4, 5, 2**32 - 1, 7, -1]
    with pytest.raises(
        lp.ArgumentValueError, match=r"kernels\.spv: .*'wide' has 'float d' as parameter 2, of 4 bytes; .* 8"
    ):
        lp.load(file, device, {"wide": "double *out, char first, float d, float f"})


@SPIRV
def test_what_compilers_note_is_used(device):
    program = lp.load(with_notes(compiled(KERNELS), {"tile": ("uint*,", ",")}), device)
    with pytest.raises(lp.SignatureError, match=r"\(uint \*out\): expected an array of uint32"):
        program.tile[1, (8, 4)](lp.zeros(32, "int32", device))


@SPIRV
def test_variables_of_the_program(device):
    program = lp.load(compiled(GLOBALS), device)
    out, place = lp.zeros(1, "float32", device), on(device, [0, 2], "int32")
    program.count[1, 1](place)
    program.bare[1, 1]()
    assert place.to_numpy()[0] == 37 and program.symbol("counter").to_numpy() == 108
    program.symbol("counter").copy_from(np.array(-1, "int32"))
    program.count[1, 1](on(device, [0, 0], "int32"))
    assert program.symbol("counter").to_numpy() == 0
    program.through[1, 1, None, 16](out)
    assert out.to_numpy()[0] == 4
    program.symbol("table").copy_from(np.array([10, 20, 30, 40], "float32"))
    program.through[1, 1, None, 16](out)
    assert out.to_numpy()[0] == 40


@SPIRV
@pytest.mark.parametrize("version", ["v1.0", "v1.4"])
def test_other_versions_of_spirv(device, version):
    x, y = lp.zeros(N, "float32", device), lp.zeros(N, "float32", device)
    x.fill(2.0)
    lp.load(compiled(KERNELS, version), device).saxpy[4, 256](x, y, 3.0, N)
    assert (y.to_numpy() == 6).all()


@SPIRV
@pytest.mark.parametrize("name", ["a.fill$1", "main::fill<float>", "dot", "kernel"])
def test_names_that_c_would_not_take(device, name):
    text = "__kernel void fill(__global float *x) { *x = 5; }"
    out = lp.zeros(1, "float32", device)
    lp.load(renamed(compiled(text), {"fill": name}), device)[name][1, 1](out)
    assert out.to_numpy()[0] == 5


@SPIRV
def test_half_precision(device):
    text = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n__kernel void k(__global half *x, half h) { x[0] += h; }"
    if "cl_khr_fp16" not in device.info["extensions"]:
        with pytest.raises(lp.CompileError, match=r"needs features that .* lacks: Float16 \(cl_khr_fp16\)"):
            lp.load(compiled(text), device)
        return
    x = on(device, [1.5], "float16")
    lp.load(compiled(text), device).k[1, 1](x, 0.25)
    assert x.to_numpy()[0] == 1.75


@SPIRV
def test_functions_that_are_not_there(device, tmp_path):
    file = tmp_path / "u.spv"
    text = "float missing(float); __kernel void k(__global float *x) { x[0] = missing(x[1]); }"
    file.write_bytes(compiled(text))
    with pytest.raises(lp.CompileError, match=r"(?s)u\.spv.* declares.* missing"):
        lp.load(file, device)


@SPIRV
def test_what_c_cannot_express_goes_as_spirv_where_that_is_taken_too(device, monkeypatch):
    from launchpath._compiler import opencl_c

    def refuse(*_):
        raise opencl_c.UnsupportedConstruct("a thing")

    monkeypatch.setattr(opencl_c, "write", refuse)
    monkeypatch.setitem(device.info, "dialect", "clc-generic")
    if not device.info["spirv"]:
        with pytest.raises(lp.CompileError, match="the data: a thing cannot be expressed"):
            lp.load(compiled(KERNELS), device)
        return
    out = lp.zeros(1, "float64", device)
    lp.load(compiled(KERNELS), device).wide[1, 1](out, 1, 2.0, 3.0)
    assert out.to_numpy()[0] == 6


@SPIRV
def test_more_arguments_than_the_device_takes(device):
    size = device.info["parameter_bytes"] + 8
    text = f"struct Big {{ char c[{size}]; }}; __kernel void k(__global char *x, struct Big b) {{ x[0] = b.c[x[1]]; }}"
    with pytest.raises(lp.ConfigurationError, match=rf"kernel k has {(size + 15) // 8 * 8} bytes of arguments"):
        lp.load(compiled(text), device)


@SPIRV
def test_spirv_that_the_driver_refuses(device):
    if device.info["dialect"] != "spirv":
        pytest.skip("the device takes OpenCL C")
    from launchpath._compiler.spirv.module import Module

    module = Module.decode(compiled("__kernel void k(__global int *x) { x[0] = 1; }"))
    module.version = 0x1FF00
    with pytest.raises(lp.CompileError, match=r"the data \(SPIR-V 1\.255\) does not build for"):
        lp.load(module.encode(), device)


@SPIRV
def test_launchpaths_own_spirv(device):
    from launchpath._compiler import compile as compiler
    from launchpath._compiler import target
    from launchpath._compiler.source import source
    from launchpath._compiler.target import SPIRV

    text = "__global__ void k(float *x, int n) { extern __shared__ float s[]; s[0] = n; __syncthreads(); *x = s[0]; }"
    like = target.target_of(device.info)._replace(form=SPIRV)
    data = compiler.compile(source.from_text(text), (), like).code
    out = lp.zeros(1, "float32", device)
    lp.load(data, device, {"k": "float *x, int n"}).k[1, 1, None, 4](out, 7)
    assert out.to_numpy()[0] == 7


def test_cuda_and_hip_devices_take_no_spirv(device, native):
    if not native:
        pytest.skip("OpenCL devices take it")
    with pytest.raises(lp.CompileError, match=r"the data: SPIR-V is for OpenCL devices; .* takes (PTX|HSACO)"):
        lp.load(b"\x03\x02\x23\x07" + bytes(16), device)


# -- PTX


PTX = b"""
.version 7.0
.target sm_70
.address_size 64
.visible .entry _Z4fillPfi(.param .u64 out, .param .u32 n) {
    .reg .pred %p<2>; .reg .f32 %f<2>; .reg .b32 %r<6>; .reg .b64 %d<5>;
    ld.param.u64 %d1, [out];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra done;
    cvta.to.global.u64 %d2, %d1;
    mul.wide.s32 %d3, %r5, 4;
    add.s64 %d4, %d2, %d3;
    cvt.rn.f32.s32 %f1, %r5;
    st.global.f32 [%d4], %f1;
done:
    ret;
}
"""


def test_ptx_is_loaded_and_saved(device, tmp_path):
    if device.info["dialect"] != "cuda":
        pytest.skip("PTX is for CUDA devices")
    for program in (lp.load(PTX, device), None):
        if program is None:
            program = lp.load(tmp_path / "fill.lp", device)  # noqa: PLW2901
        else:
            program.save(tmp_path / "fill.lp")
        out = lp.zeros(100, "float32", device)
        program["_Z4fillPfi"][4, 32](out, 90)
        assert out.to_numpy().tolist() == [*map(float, range(90)), *[0.0] * 10]
        with pytest.raises(lp.SignatureError):
            program["_Z4fillPfi"][4, 32](out, 1.5)


# -- what is neither


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"__global__ void k() {}", r"'__global' \(5f 5f.*\), which is source: lp\.compile takes that"),
        (b"kernel text of\nsome kind", r"'kernel t' \(6b .*\), and SPIR-V with 03 02 23 07"),
        (b"BC\xc0\xde\x35\x14", "42 43 c0 de 35 14, which is LLVM bitcode"),
        (b"\x7fELF\x02\x01\x01\x00\x00", "7f 45 4c 46 .*, which is an ELF file for no known GPU"),
        (b"//\n.version 7.0\n.target sm_70\n", "2f 2f 0a .*, which is PTX"),
        (b"; SPIR-V\n; Version: 1.0\n", "'; SPIR-V' .*, which is SPIR-V's assembly: make SPIR-V of it with spirv-as"),
        (b"\x03\x02\x23", "03 02 23, and SPIR-V with"),
        (b"\0\0\0\0\0", "00 00 00 00 00, and"),
    ],
)
def test_what_is_neither(device, data, says):
    with pytest.raises(
        lp.ArgumentValueError,
        match=rf"expected SPIR-V, a binary .*, or a program that .* saved: the file begins with {says}",
    ):
        lp.load(data, device)


def test_a_text_is_no_path(device):
    with pytest.raises(
        lp.ArgumentValueError, match=r"a text of \d+ characters, '.version 7.0.*pass it as text.encode\(\)"
    ):
        lp.load(".version 7.0\n.target sm_70\n" * 100, device)


def test_nothing_at_all(device):
    with pytest.raises(lp.ArgumentValueError, match="the data is empty"):
        lp.load(b"", device)


def test_files_that_cannot_be_read(device, tmp_path):
    with pytest.raises(FileNotFoundError):
        lp.load(tmp_path / "none.lp", device)
    with pytest.raises(IsADirectoryError):
        lp.load(tmp_path, device)
    with pytest.raises(TypeError):
        lp.load(None, device)
    with pytest.raises(TypeError, match="signatures: expected a dict of C parameter lists by kernel, got 'str'"):
        lp.load(compiled(KERNELS), device, "float *x")
