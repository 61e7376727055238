"""Bad input: an error that names kernel, parameter, what is wanted and what was given; and nothing is lost."""

import ctypes

import numpy as np
import pytest

import launchpath as lp

SOURCE = r"""
struct Pair { float x; int n; };
__global__ void k(float* out, int n, float scale, bool flag, struct Pair pair) { *out = n * scale; }
__global__ void plain(int* out) { *out += 1; }
__global__ void with_static(int* out) {
    __shared__ int scratch[256];
    scratch[threadIdx.x] = 1;
    __syncthreads();
    *out = scratch[0];
}
__global__ void with_dynamic(int* out) {
    extern __shared__ int scratch[];
    scratch[threadIdx.x] = 1;
    *out = scratch[threadIdx.x];
}
__global__ void __launch_bounds__(32) bounded(int* out) { *out = 1; }
"""


@pytest.fixture
def good(device):
    return {"out": lp.zeros(1, "float32", device), "n": 3, "scale": 2.0, "flag": True, "pair": bytes(8)}


class Wrong:
    def __repr__(self):
        return "<a wrong thing>"


def test_the_good_call_is_good(kernels, good):
    kernels.k[1, 1](**good)
    assert good["out"].to_numpy()[0] == 6.0


@pytest.mark.parametrize(
    "case",
    [
        ("out", 1234, lp.SignatureError, ["parameter 0 (float *out)", "an array", "the int 1234", "DevicePointer"]),
        ("out", np.zeros(3, "f4"), lp.SignatureError, ["(float *out)", "ndarray in host memory", "asarray"]),
        ("out", 1.5, lp.SignatureError, ["(float *out)", "expected an array", "the float 1.5"]),
        ("out", "abc", lp.SignatureError, ["(float *out)", "expected an array", "the str 'abc'"]),
        ("out", Wrong(), lp.SignatureError, ["(float *out)", "expected an array", "<a wrong thing>"]),
        ("n", 1.5, lp.SignatureError, ["parameter 1 (int n)", "expected an int", "the float 1.5", "int()"]),
        ("n", np.float32(2), lp.SignatureError, ["(int n)", "expected an int", "float32"]),
        ("n", None, lp.SignatureError, ["(int n)", "expected an int", "None"]),
        ("n", "7", lp.SignatureError, ["(int n)", "expected an int", "the str '7'"]),
        ("n", 1 << 31, lp.ArgumentValueError, ["parameter 1 (int n)", "got 2147483648", "from -2147483648 to 2147483647"]),
        ("n", 1 << 70, lp.ArgumentValueError, ["parameter 1 (int n)", str(1 << 70), "from -2147483648"]),
        ("n", [1], lp.SignatureError, ["(int n)", "expected an int", "the list [1]"]),
        ("scale", "2.0", lp.SignatureError, ["parameter 2 (float scale)", "expected a number", "the str '2.0'"]),
        ("scale", None, lp.SignatureError, ["(float scale)", "expected a number", "None"]),
        ("scale", 1j, lp.SignatureError, ["(float scale)", "expected a number", "1j"]),
        ("scale", 1e300, lp.ArgumentValueError, ["(float scale)", "1e+300", "from -3.4028235e+38 to 3.4028235e+38"]),
        ("flag", 2, lp.SignatureError, ["parameter 3 (bool flag)", "expected a bool", "the int 2"]),
        ("flag", "yes", lp.SignatureError, ["(bool flag)", "expected a bool", "the str 'yes'"]),
        ("flag", Wrong(), lp.SignatureError, ["(bool flag)", "expected a bool", "<a wrong thing>"]),
        ("flag", np.zeros(2), lp.SignatureError, ["(bool flag)", "expected a bool"]),
        ("pair", bytes(7), lp.SignatureError, ["parameter 4", "pair)", "struct of 8 bytes", "bytes of 7"]),
        ("pair", ctypes.c_int(3), lp.SignatureError, ["pair)", "struct of 8 bytes", "c_int of 4"]),
        ("pair", (1.0, 2, 3), lp.SignatureError, ["pair)", "expected 2 values", "the tuple (1.0, 2, 3)"]),
        ("pair", 3, lp.SignatureError, ["pair)", "struct of 8 bytes", "the int 3"]),
    ],
)  # fmt: skip
def test_a_wrong_argument(kernels, good, case):
    name, value, error, words = case
    for call in (lambda: kernels.k[1, 1](**{**good, name: value}),
                 lambda: kernels.k[1, 1](*{**good, name: value}.values())):  # fmt: skip
        with pytest.raises(error) as raised:
            call()
        for word in ["k: ", *words]:
            assert word in str(raised.value)
    kernels.k[1, 1](**good)
    assert good["out"].to_numpy()[0] == 6.0


def test_an_array_of_another_dtype(kernels, good, device):
    good["out"] = lp.zeros(1, "float64", device)
    with pytest.raises(
        lp.SignatureError, match=r"\(float \*out\): expected an array of float32, got an array of float64"
    ):
        kernels.k[1, 1](**good)


def test_a_freed_array(kernels, good):
    good["out"].free()
    with pytest.raises(
        lp.FreedError, match=r"k: .*\(float \*out\): .*the array of shape \(1,\), float32, which was freed"
    ):
        kernels.k[1, 1](**good)


def test_an_array_of_another_device(kernels, good, device):
    other = next((candidate for candidate in lp.devices() if candidate is not device), None)
    if other is None:
        pytest.skip("one device only")
    good["out"] = lp.zeros(1, "float32", other)
    with pytest.raises(lp.ArgumentValueError, match=r"k: parameter 0 \(float \*out\): the array is on") as raised:
        kernels.k[1, 1](**good)
    assert device.name in str(raised.value)
    assert other.name in str(raised.value)


def test_a_stream_of_another_device(kernels, device):
    other = next((candidate for candidate in lp.devices() if candidate is not device), None)
    if other is None:
        pytest.skip("one device only")
    stream = lp.Stream(device=other)
    with pytest.raises(lp.ArgumentValueError, match="plain: expected a stream of .*, got a stream of") as raised:
        kernels.plain[1, 1, stream]
    assert device.name in str(raised.value)
    assert other.name in str(raised.value)
    with (
        stream,
        pytest.raises(lp.ArgumentValueError, match="plain: expected a stream of .*, got the current stream of"),
    ):
        kernels.plain[1, 1](lp.empty(1, "int32", device))
    with pytest.raises(lp.ArgumentValueError, match="expected a stream of .*, got a stream of"):
        lp.empty(1, "int32", device).fill(1, stream)


def test_too_few_and_too_many(kernels, good):
    values = list(good.values())
    for arguments in (values[:3], [*values, 1], []):
        count = len(arguments)
        with pytest.raises(lp.SignatureError, match=rf"k\(float \*out, .*\): expected 5 arguments, got {count}"):
            kernels.k[1, 1](*arguments)


def test_a_name_that_no_parameter_has(kernels, good):
    with pytest.raises(lp.SignatureError, match=r"k\(.*\) has no parameter 'scael'"):
        kernels.k[1, 1](good["out"], 1, scael=2.0, flag=True, pair=bytes(8))


def test_a_parameter_passed_twice(kernels, good):
    with pytest.raises(lp.SignatureError, match="k: parameter 'n' was passed by position and by name"):
        kernels.k[1, 1](good["out"], 1, 2.0, True, n=1)


def test_a_parameter_left_out_by_name(kernels, good):
    with pytest.raises(lp.SignatureError, match=r"k\(.*\): missing arguments for 'scale', 'pair'"):
        kernels.k[1, 1](good["out"], 1, flag=True)


@pytest.mark.parametrize("what", [0, -1, 1.5, "1", None, (), (1, 1, 1, 1), (1, 0), (1, 2.5), 1 << 32, [[1]]])
@pytest.mark.parametrize("place", ["grid", "block"])
def test_a_bad_grid_or_block(kernels, place, what):
    with pytest.raises(lp.ConfigurationError, match=f"plain: .*{place}"):
        kernels.plain[(what, 1) if place == "grid" else (1, what)]


@pytest.mark.parametrize("key", [1, (1,), (1, 1, None, 0, 0), "ab", slice(1, 2)])
def test_a_bad_number_of_brackets_contents(kernels, key):
    with pytest.raises(lp.ConfigurationError, match=r"plain\[grid, block\]"):
        kernels.plain[key]


def test_a_block_too_large(kernels, device):
    n = device.info["max_threads_per_block"]
    for block in (n + 1, (n, 2), (2, n), 1 << 31):
        with pytest.raises(lp.ConfigurationError, match="plain: expected a block of") as raised:
            kernels.plain[1, block]
        assert device.name in str(raised.value)
        assert str(n) in str(raised.value) or str(device.info["max_block"][0]) in str(raised.value)


def test_a_block_larger_than_the_kernels_launch_bounds(kernels):
    assert kernels.bounded[1, 32]
    with pytest.raises(lp.ConfigurationError, match="bounded: expected a block of at most 32 threads .*, got 33"):
        kernels.bounded[1, 33]


def test_a_grid_too_large(kernels, device):
    most = device.info["max_grid"][0]
    if most >= (1 << 32) - 1:
        pytest.skip("the device takes any grid")
    with pytest.raises(
        lp.ConfigurationError, match=rf"plain: expected a grid of at most {most} blocks in x .*, got {most + 1}"
    ):
        kernels.plain[most + 1, 1]


@pytest.mark.parametrize("shared", [-1, 1.5, "1"])
def test_bad_shared_memory(kernels, shared):
    with pytest.raises(lp.ConfigurationError, match="with_dynamic: expected dynamic shared memory in bytes"):
        kernels.with_dynamic[1, 1, None, shared]


def test_too_much_shared_memory(kernels, device):
    # Some devices give more of it if they are asked to, which a launch does.
    size = max(device.info["shared_memory_per_block"], device.info.get("shared_memory_optin", 0))
    with pytest.raises(lp.ConfigurationError, match=f"with_dynamic: {size + 1} bytes of dynamic") as raised:
        kernels.with_dynamic[1, 1, None, size + 1]
    assert str(size) in str(raised.value)
    assert device.name in str(raised.value)


def test_dynamic_shared_memory_where_none_is_declared_is_not_asked_for(kernels):
    assert kernels.plain[1, 1, None, 64]
    assert kernels.plain[1, 1, None, 0]


def test_a_stream_that_is_none(kernels):
    with pytest.raises(
        lp.SignatureError,
        match=r"plain: expected a stream \(third\), got the int 7; dynamic shared memory is the fourth",
    ):
        kernels.plain[1, 1, 7]


def test_a_kernel_without_brackets(kernels):
    with pytest.raises(TypeError, match=r"plain: expected a grid and a block: plain\[grid, block\]\(...\)"):
        kernels.plain(1)


def test_a_kernel_that_is_not_there(kernels):
    with pytest.raises(AttributeError, match="no kernel 'kk'; it has k, plain"):
        kernels.kk  # noqa: B018
    with pytest.raises(KeyError, match="no kernel 'kk'"):
        kernels["kk"]


TEMPLATES = """
template <class T, int N> __global__ void k(T* out) { *out = N; }
__global__ void f(int* out) { *out = 1; }
__global__ void f(float* out) { *out = 2; }
"""


def test_kernels_that_are_asked_for_by_half_their_name(device, tmp_path):
    program = lp.compile(TEMPLATES, device)
    assert "without kernels so far" in repr(lp.compile(TEMPLATES.partition("__global__ void f")[0], device))
    with pytest.raises(AttributeError, match=r"f is overloaded; the kernels are 'f\(int \*\)', 'f\(float \*\)'"):
        program.f  # noqa: B018
    for lookup in (lambda: program.k, lambda: program["k"]):
        with pytest.raises(
            (AttributeError, KeyError), match=r"k is a template, k<.*>, without .*; name one with its arg"
        ):
            lookup()
    program["k<float, 1>"], program["k<int, 2>"]
    with pytest.raises(KeyError, match=r"k is a template, .*, with several instances: k<float, 1>, k<int, 2>"):
        program["k"]
    program.save(tmp_path / "program.lp")
    loaded = lp.load(tmp_path / "program.lp", device)
    with pytest.raises(KeyError, match="'k<float, 1>'.* It was loaded: without its source"):
        loaded["k<float, 1>"]


def test_more_static_shared_memory_than_the_device_has(device, native):
    most = device.info["shared_memory_per_block"]
    source = """
    template <int N> __global__ void k(char* out) {
        __shared__ char all[N];
        all[threadIdx.x] = out[threadIdx.x];
        __syncthreads();
        out[threadIdx.x] = all[N - 1 - threadIdx.x];
    }
    __global__ void store(char* out) { *out = 1; }
    """
    if native:  # their compilers know the limit
        with pytest.raises(lp.CompileError, match=r"too much shared data|local memory|limit") as raised:
            lp.compile(source, device, names=[f"k<{most + 64}>"])
        assert "does not compile" in str(raised.value)
        return
    try:
        program = lp.compile(source, device, names=[f"k<{most + 64}>"])
    except lp.ConfigurationError as error:  # the driver refuses the whole program
        assert f"k<{most + 64}> needs {most + 64} bytes of shared memory a block" in str(error)
        return
    assert f"kernel k<{most + 64}> needs {most + 64} bytes of shared memory a block" in program.log
    names = (f"k<{most + 64}>", f"k< {most + 64}>", f"k<{2 * most}>")
    for name in names:
        with pytest.raises(lp.ConfigurationError, match=f"needs .* bytes of shared memory a block, .* has {most}"):
            program[name]
    with pytest.raises(lp.ConfigurationError, match="needs"):
        program.k  # noqa: B018
    out = lp.zeros(1, "int8", device)
    program.store[1, 1](out)
    assert out.to_numpy()[0] == 1


def test_arguments_as_large_as_the_device_takes(device):
    size = device.info["parameter_bytes"] // 8 * 8 - 8
    source = f"""
    struct Big {{ int values[{size // 4}]; }};
    __global__ void big(struct Big b, int* out) {{ *out = b.values[{size // 4 - 1}]; }}
    """
    out = lp.zeros(1, "int32", device)
    lp.compile(source, device).big[1, 1](np.arange(size // 4, dtype="int32"), out)
    assert out.to_numpy()[0] == size // 4 - 1


def test_a_refused_call_launches_nothing(kernels, device, nonblocking):
    before = nonblocking.submitted
    with pytest.raises(lp.SignatureError):
        kernels.plain[1, 1, nonblocking](3)
    assert nonblocking.submitted == before
