"""torch's tensors as arguments, read through its stable C ABI; here of a torch whose functions are these."""

from __future__ import annotations

import ctypes

import pytest

import launchpath as lp
from launchpath.interop import torch_abi

OFFSET = 16
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
        self.kind = type("Tensor", (), {"__module__": "torch"})
        self.found, self.devices = 0, 2

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
        self.found += 1
        addresses = [ctypes.cast(one, ctypes.c_void_p).value for one in self.functions]
        return addresses, OFFSET, 0, 1, self.hip, self.devices, DTYPES

    def tensor(self, address, **other):
        made = self.kind()
        answers = {"layout": 0, "kind": 1, "index": 0, "dtype": DTYPES["int32"], "contiguous": True}
        self.tensors[id(made)] = answers | {"address": address} | other
        return made


@pytest.fixture
def abi(gpu, monkeypatch):
    made = FakeAbi(gpu.driver == "hip")
    monkeypatch.setattr(torch_abi, "stable_abi", made.stable_abi)
    return made


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
    assert abi.found == 1


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
    with pytest.raises(lp.SignatureError, match="increment: parameter 0 .* given the Tensor"):
        launch(tensor)
    assert array.to_numpy().tolist() == [1] * 16 + [0] * 48


def test_a_tensor_without_strides_is_asked_nothing_else(abi, array, launch):
    sparse = abi.tensor(array.pointer, layout=1)
    with pytest.raises(lp.SignatureError):
        launch(sparse)
    assert abi.asked == ["layout"]


@pytest.mark.parametrize(("mark", "word"), [("is_conj", "conjugate"), ("is_neg", "negative")])
def test_what_only_torch_reads_right_is_refused(abi, array, launch, mark, word):
    tensor = abi.tensor(array.pointer, dtype=DTYPES["complex64"])
    setattr(tensor, mark, lambda: True)
    with pytest.raises(lp.ArgumentValueError, match=f"is the {word} of what is in its memory: .*resolve_{mark[3:]}"):
        launch(tensor)


def test_tensors_of_another_shape_in_memory_are_left_to_other_ways(gpu, abi, array, launch, monkeypatch):
    launch(abi.tensor(array.pointer))
    other = FakeAbi(gpu.driver == "hip")
    found = other.stable_abi(None)
    monkeypatch.setattr(torch_abi, "stable_abi", lambda tensor: (found[0], 32, *found[2:]))
    with pytest.raises(lp.SignatureError, match="given the Tensor"):
        launch(other.tensor(array.pointer))
    launch(abi.tensor(array.pointer))
    assert array.to_numpy().tolist() == [2] * 16 + [0] * 48


def test_without_the_abi_other_ways_are_taken(gpu, abi, array, launch, monkeypatch):
    from .dlpack import exchanging

    monkeypatch.setattr(torch_abi, "stable_abi", lambda tensor: None)
    kind = exchanging()
    kind.__module__ = "torch"
    launch(kind(gpu, array.pointer))
    assert array.to_numpy().tolist() == [1] * 16 + [0] * 48
