"""Kernels that take their parameters through one pointer, called with the fields of the struct."""

import struct

import numpy as np
import pytest

import launchpath as lp

SOURCE = """
namespace sim { template <class T> struct Pair { T first, second; }; }
struct Params {
    float factor;
    int n;
    float* out;
    const float* x;
    float extra[3];
    short add;
    sim::Pair<int> pair;
    bool twice;
};
__global__ void scale(const Params* p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p->n) p->out[i] = p->factor * p->x[i] * (p->twice ? 2 : 1) + p->extra[1] + p->add + p->pair.second;
}
__global__ void writes(Params* p) {
    p->out[0] = p->factor;
    p->factor += 1;
}
__global__ void dynamic(const Params* p) {
    extern __shared__ float kept[];
    kept[threadIdx.x] = p->x[threadIdx.x];
    __syncthreads();
    p->out[threadIdx.x] = kept[blockDim.x - 1 - threadIdx.x];
}
template <class T> struct Scaled { float* out; T factor; int n; };
template <class T> struct Outer { struct Inner { float* out; T add; }; };
__global__ void instance(const Scaled<double>* p) { p->out[threadIdx.x] = p->factor * threadIdx.x + p->n; }
__global__ void inner(const Outer<float>::Inner* p) { p->out[threadIdx.x] = threadIdx.x + p->add; }
template <class T> __global__ void generic(const Scaled<T>* p) { p->out[threadIdx.x] = p->factor + p->n; }
"""
EXTRA = struct.pack("3f", 0, 10, 0)


@pytest.fixture
def arrays(device):
    return lp.zeros(100, device=device), lp.asarray(np.arange(100, dtype="float32"), device=device)


def test_fields_by_position_and_by_name(kernels, arrays):
    out, x = arrays
    scale = kernels.scale.by_fields
    scale[1, 128](2.0, 100, out, x, EXTRA, 7, struct.pack("2i", 0, 100), False)
    assert out.to_numpy().tolist() == [2 * i + 117 for i in range(100)]
    scale[1, 128](
        n=100, factor=1.0, out=out, x=x, extra=np.zeros(3, "float32"), add=np.int16(-1), pair=bytes(8), twice=True
    )
    assert out.to_numpy().tolist() == [2 * i - 1 for i in range(100)]


def test_each_launch_has_its_own(kernels, arrays, device):
    _, x = arrays
    scale = kernels.scale.by_fields
    outs = [lp.zeros(100, device=device) for _ in range(20)]
    for factor, out in enumerate(outs):
        scale[1, 128](float(factor), 100, out, x, EXTRA, 0, bytes(8), False)
    for factor, out in enumerate(outs):
        assert out.to_numpy().tolist() == [factor * i + 10 for i in range(100)]


def test_what_has_not_changed_is_not_uploaded(kernels, arrays):
    out, x = arrays
    scale = kernels.scale.by_fields
    launch = scale[1, 128]
    before, own = lp.argument_counts(), scale.argument_counts()
    for turn in range(10):
        launch(2.0, 100, out, x, EXTRA, 0, bytes(8), turn >= 5)
    more = {name: count - own[name] for name, count in scale.argument_counts().items()}
    assert more["uploads"] <= 2
    assert more["skipped"] == 10 - more["uploads"]
    assert lp.argument_counts()["skipped"] - before["skipped"] == more["skipped"]
    assert out.to_numpy().tolist() == [4 * i + 10 for i in range(100)]


def test_an_upload_for_every_launch_can_be_asked_for(kernels, arrays):
    out, x = arrays
    scale = kernels.scale.by_fields
    before = scale.argument_counts()["uploads"]
    lp.skip_uploads(False)
    try:
        for _ in range(5):
            scale[1, 128](2.0, 100, out, x, EXTRA, 0, bytes(8), False)
    finally:
        lp.skip_uploads(True)
    assert scale.argument_counts()["uploads"] - before == 5
    assert out.to_numpy()[3] == 16


def test_a_kernel_that_may_write_to_its_parameters_gets_them_each_time(kernels, arrays):
    out, x = arrays
    writes = kernels.writes.by_fields
    for _ in range(3):
        writes[1, 1](5.0, 0, out, x, EXTRA, 0, bytes(8), False)
        assert out.to_numpy()[0] == 5
    assert writes.argument_counts()["uploads"] == 3


def test_with_dynamic_shared_memory(kernels, arrays):
    out, x = arrays
    kernels.dynamic.by_fields[1, 64, None, 256](1.0, 64, out, x, EXTRA, 0, bytes(8), False)
    assert out.to_numpy()[:64].tolist() == list(range(63, -1, -1))


def test_streams_have_blocks_of_their_own(kernels, arrays, device):
    _, x = arrays
    scale = kernels.scale.by_fields
    streams = [lp.Stream(blocking=False, device=device) for _ in range(3)]
    outs = [lp.zeros(100, device=device) for _ in streams]
    device.synchronize()
    for turn in range(10):
        for number, (stream, out) in enumerate(zip(streams, outs, strict=True)):
            scale[1, 128, stream](float(10 * number + turn), 100, out, x, EXTRA, 0, bytes(8), False)
    for number, (stream, out) in enumerate(zip(streams, outs, strict=True)):
        assert out.to_numpy(stream)[1] == 10 * number + 9 + 10


def test_the_signature_tells_the_fields(kernels):
    by_fields = kernels.scale.by_fields
    assert [parameter.name for parameter in by_fields.signature.parameters] == [
        "factor", "n", "out", "x", "extra", "add", "pair", "twice"
    ]  # fmt: skip
    assert "const float *" in str(by_fields.signature)
    with pytest.raises(lp.SignatureError, match="scale: parameter 4 .*extra.*: expected a struct of 12 bytes"):
        by_fields[1, 1](1.0, 1, None, None, bytes(8), 0, bytes(8), False)


def test_instances_of_templates(kernels, arrays):
    out, _ = arrays
    kernels.instance.by_fields[1, 64](out, 2.5, n=3)
    assert out.to_numpy()[:64].tolist() == [2.5 * i + 3 for i in range(64)]
    kernels.inner.by_fields[1, 64](out, add=0.5)
    assert out.to_numpy()[:64].tolist() == [i + 0.5 for i in range(64)]
    kernels["generic<short>"].by_fields[1, 64](out, 5, 1)
    assert out.to_numpy()[63] == 6


def test_what_takes_the_fields_is_not_asked_again(kernels):
    with pytest.raises(lp.SignatureError, match="struct of named fields: it takes the fields already"):
        kernels.scale.by_fields.by_fields  # noqa: B018


def test_fields_passed_to_the_kernel_itself_are_an_error_that_says_so(kernels):
    with pytest.raises(
        lp.SignatureError,
        match="expected 1 argument, got 8: scale.by_fields takes the 8 fields of the struct that it points to",
    ):
        kernels.scale[1, 1](1.0, 1, None, None, EXTRA, 0, bytes(8), False)


def test_the_kernel_itself_still_takes_an_array_of_structs(kernels, arrays, device):
    out, x = arrays
    packed = struct.pack("=fiQQ12sh2xii?3x", 3.0, 100, out.pointer, x.pointer, EXTRA, 0, 0, 0, False)
    params = lp.asarray(np.frombuffer(packed, "uint8"), device=device)
    kernels.scale[1, 128](params)
    assert out.to_numpy()[2] == 16


def test_saved_and_loaded(device, arrays, tmp_path):
    out, x = arrays
    path = tmp_path / "program.lp"
    lp.compile(SOURCE, device).save(path)
    scale = lp.load(path, device).scale.by_fields
    scale[1, 128](2.0, 100, out, x, EXTRA, 0, bytes(8), False)
    assert out.to_numpy()[5] == 20
