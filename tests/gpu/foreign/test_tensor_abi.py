"""torch's tensors as arguments, read through its stable C ABI; here of a torch whose functions are these."""

import ctypes
import sys
from types import SimpleNamespace

import pytest

import launchpath as lp
from launchpath.interop import torch_abi

OFFSET = 16
KEYS_AT = bytes.__basicsize__ - 1  # of a bytes object's content, which stands for what torch implements a tensor by
LAZY = 0b1110
DTYPES = {"bool": 11, "int8": 1, "int32": 3, "float32": 6, "complex64": 9}
ANSWERS = (
    ("layout", ctypes.c_int32), ("kind", ctypes.c_int32), ("index", ctypes.c_int32), ("dtype", ctypes.c_int32),
    ("contiguous", ctypes.c_bool), ("address", ctypes.c_void_p),
)  # fmt: skip


class FakeAbi:
    """The functions, and the tensors that they know by their handles."""

    def __init__(self, hip):
        self.hip, self.tensors, self.asked = hip, {}, []
        self.functions = [self._function(name, kind) for name, kind in ANSWERS]
        self.kind = type("Tensor", (), {"__module__": "torch", "__slots__": ("implementation", "__dict__")})
        self.n_lookups, self.devices = 0, 2

    def _function(self, name, kind):
        def answer(handle, to):
            self.asked.append(name)
            value = self.tensors[handle - OFFSET][name]
            if value is None:
                return 1
            kind.from_address(to).value = value
            return 0

        return ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(answer)

    def stable_abi(self, tensor):
        self.n_lookups += 1
        addresses = [ctypes.cast(function, ctypes.c_void_p).value for function in self.functions]
        return addresses, OFFSET, KEYS_AT, LAZY, 0, 1, self.hip, self.devices, DTYPES

    def tensor(self, address, keys=1, **other):
        tensor = self.kind()
        tensor.implementation = keys.to_bytes(8, sys.byteorder)
        answers = {"layout": 0, "kind": 1, "index": 0, "dtype": DTYPES["int32"], "contiguous": True}
        self.tensors[id(tensor)] = answers | {"address": address} | other
        return tensor


@pytest.fixture
def abi(gpu, monkeypatch):
    fake = FakeAbi(gpu.driver == "hip")
    monkeypatch.setattr(torch_abi, "stable_abi", fake.stable_abi)
    nn = SimpleNamespace(Parameter=type("Parameter", (fake.kind,), {}))
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(Tensor=fake.kind, nn=nn))
    return fake


@pytest.fixture
def array(gpu):
    return gpu.zeros(64)


@pytest.fixture
def launch(gpu):
    stream = gpu.stream()
    bound = gpu.kernel("increment")[1, 64, stream]

    def run(tensor, count=16):
        bound(tensor, count)
        stream.synchronize()

    return run


def test_the_kernel_gets_its_address(abi, array, launch):
    tensor = abi.tensor(array.pointer + 64)
    for _ in range(3):
        launch(tensor)
    assert array.to_numpy().tolist() == [0] * 16 + [3] * 16 + [0] * 32
    assert abi.n_lookups == 1


def test_it_is_read_anew_for_each_launch(abi, array, launch):
    tensor = abi.tensor(array.pointer)
    launch(tensor)
    abi.tensors[id(tensor)]["address"] = array.pointer + 64
    launch(tensor)
    assert array.to_numpy().tolist() == [1] * 32 + [0] * 32


@pytest.mark.parametrize("devices", [1, 2])
def test_each_fact_is_asked_once(abi, array, launch, devices):
    abi.devices = devices
    tensor = abi.tensor(array.pointer)
    launch(tensor)
    abi.asked.clear()
    launch(tensor)
    assert abi.asked == ["kind", *["index"][: devices - 1], "dtype", "contiguous", "address"]


@pytest.mark.parametrize(
    "wrong",
    [{"kind": 0}, {"kind": 12}, {"index": 1}, {"dtype": DTYPES["float32"]}, {"dtype": 1000}, {"dtype": -1},
     {"contiguous": False}, *({name: None} for name, _ in ANSWERS[1:])],
    ids=str,
)  # fmt: skip
def test_what_is_wrong_now_is_seen(abi, array, launch, wrong):
    """The first launch was right: what a tensor is may change."""
    tensor = abi.tensor(array.pointer)
    launch(tensor)
    abi.tensors[id(tensor)] |= wrong
    with pytest.raises(lp.SignatureError, match="increment: parameter 0 .* got the Tensor"):
        launch(tensor)
    assert array.to_numpy().tolist() == [1] * 16 + [0] * 48


def test_a_tensor_without_strides_is_asked_nothing_else(abi, array, launch):
    sparse = abi.tensor(array.pointer, layout=1)
    with pytest.raises(lp.SignatureError):
        launch(sparse)
    assert abi.asked == ["layout"]


@pytest.mark.parametrize(
    ("keys", "mark", "message"),
    [
        (0b0010, "is_conj", "is the conjugate of the values in its memory: .*resolve_conj"),
        (0b0100, "is_neg", "is the negative of the values in its memory: .*resolve_neg"),
        (0b1000, "_is_zerotensor", "stands for zeros that are nowhere in memory: .*clone"),
    ],
)
def test_what_only_torch_reads_right_is_refused(abi, array, launch, keys, mark, message):
    """The memory of `x.conj().imag[:1]` is contiguous, and of the right type; its sign is in the tensor's keys."""
    launch(abi.tensor(array.pointer))
    tensor = abi.tensor(array.pointer, keys | 1)
    setattr(tensor, mark, lambda: True)
    for _ in range(2):
        with pytest.raises(lp.ArgumentValueError, match=message):
            launch(tensor)
    assert array.to_numpy().tolist() == [1] * 16 + [0] * 48


def test_a_complex_tensor_that_is_what_its_memory_holds(gpu, abi, array, launch):
    tensor = abi.tensor(array.pointer, dtype=DTYPES["complex64"])
    with pytest.raises(lp.SignatureError, match="increment: parameter 0"):
        launch(tensor)  # of int


def test_tensors_of_another_shape_in_memory_are_left_to_other_ways(gpu, abi, array, launch, monkeypatch):
    launch(abi.tensor(array.pointer))
    other = FakeAbi(gpu.driver == "hip")
    methods = other.stable_abi(None)
    monkeypatch.setattr(torch_abi, "stable_abi", lambda tensor: (methods[0], 32, *methods[2:]))
    with pytest.raises(lp.SignatureError, match="got the Tensor"):
        launch(other.tensor(array.pointer))
    launch(abi.tensor(array.pointer))
    assert array.to_numpy().tolist() == [2] * 16 + [0] * 48


def test_without_the_abi_other_ways_are_taken(gpu, abi, array, launch, monkeypatch):
    from tests.gpu.foreign.dlpack import exchanging

    monkeypatch.setattr(torch_abi, "stable_abi", lambda tensor: None)
    kind = exchanging()
    monkeypatch.setattr(sys.modules["torch"], "Tensor", kind)
    launch(kind(gpu, array.pointer))
    assert array.to_numpy().tolist() == [1] * 16 + [0] * 48


def test_python_code_between_may_launch_with_arrays_of_another_library(gpu, abi, array, launch, monkeypatch):
    from tests.gpu.foreign.dlpack import exchanging

    kind, failing = exchanging(), exchanging(fail=True)
    monkeypatch.setattr(sys.modules["torch"], "Tensor", kind)
    tensor = kind(gpu, array.pointer)
    abi.tensors[id(tensor)] = {"layout": 1}  # left to the exchange API

    def is_conj():
        with pytest.raises(lp.SignatureError):
            launch(failing(gpu, array.pointer))
        return False

    tensor.is_conj = is_conj
    launch(tensor)
    assert array.to_numpy().tolist() == [1] * 16 + [0] * 48
