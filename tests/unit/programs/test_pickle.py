"""Programs, kernels and devices in pickles, in this process and in others."""

import copy
import pickle

import numpy as np
import pytest

import launchpath as lp
from launchpath._programs import recipe
from tests.foreign_source import KERNELS, compiled
from tests.simulated import Machine
from tests.unit.programs.pickled import counts, elsewhere, fill

pytestmark = pytest.mark.compiles

SOURCE = """
__global__ void scaled(float *x, float by) { x[threadIdx.x] = by * threadIdx.x * N; }
template <class T> __global__ void filled(T *x, T with) { x[threadIdx.x] = with; }
"""
COUNTS = """
__device__ int total;
__global__ void add(int n) { total += n; }
__global__ void read(int *out) { *out = total; }
"""
OPENCL = [number for number, device in enumerate(lp.devices()) if device.info["driver"] == "opencl"]


@pytest.fixture(scope="module", params=OPENCL, ids=[lp.devices()[number].info["platform"] for number in OPENCL])
def device(request):
    return lp.devices()[request.param]


@pytest.fixture(scope="module")
def program(device):
    return lp.compile(SOURCE, device, defines={"N": 3}, names=["filled<float>"], name="scales.hip")


def again(value):
    return pickle.loads(pickle.dumps(value))


def test_a_device_is_itself(device):
    assert again(device) is device
    assert copy.deepcopy(device) is device


def test_a_kernel_in_another_process(device, program):
    number, values = elsewhere(fill, program.scaled)
    assert number == lp.devices().index(device)
    np.testing.assert_array_equal(values, np.arange(64, dtype="float32") * 6)


def test_an_instance_that_was_compiled_later(program):
    kernel = program["filled<float>"]
    assert again(program["filled<double>"]).name == "filled<double>"
    assert (fill(again(kernel))[1] == 2).all()


def test_a_program_of_a_pickle(program):
    loaded = again(program)
    assert loaded is not program
    assert loaded.device is program.device
    assert str(loaded.scaled.signature) == str(program.scaled.signature)
    assert loaded.templates == program.templates
    np.testing.assert_array_equal(fill(loaded.scaled)[1], fill(program.scaled)[1])
    assert again(loaded).scaled.name == "scaled"


def test_kernels_of_a_program_share_its_globals(device):
    program = lp.compile(COUNTS, device)
    assert counts(program, program.add, program.read) == [5, 5]
    # Anew: the content of globals is not in the pickle.
    assert elsewhere(counts, program, program.add, program.read) == [5, 5]
    add, read = again([program.add, program.read])
    out = lp.zeros(1, "int32", device)
    add[1, 1](7)
    read[1, 1](out)
    assert out.to_numpy()[0] == 7
    assert program.symbol("total").to_numpy() == 5


def test_copies_are_the_same_program(program):
    assert copy.copy(program) is program
    assert copy.deepcopy({"program": program})["program"] is program
    copied = copy.deepcopy(program.scaled)
    assert copied.name == "scaled"
    assert (fill(copied)[1] == fill(program.scaled)[1]).all()


def test_a_loaded_program(device, program, tmp_path):
    program.save(tmp_path / "scales.lp")
    _, values = elsewhere(fill, lp.load(tmp_path / "scales.lp", device).scaled)
    np.testing.assert_array_equal(values, np.arange(64, dtype="float32") * 6)


def test_spirv_of_another_compiler(device):
    program = lp.load(compiled(KERNELS), device)
    loaded = again(program)
    assert set(loaded.kernels) == set(program.kernels)
    assert [str(kernel.signature) for kernel in again(loaded)] == [str(kernel.signature) for kernel in program]


def test_by_fields(device):
    source = "struct P { float *x; int n; };\n__global__ void step(const P *p) { p->x[threadIdx.x] = p->n; }"
    kernel = again(lp.compile(source, device).step.by_fields)
    array = lp.zeros(4, "float32", device)
    kernel[1, 4](array, 9)
    assert (array.to_numpy() == 9).all()
    assert again(kernel).signature == kernel.signature


def test_a_pickle_of_another_version(program, monkeypatch):
    data = pickle.dumps(program)
    monkeypatch.setattr(recipe, "__version__", "99.0")
    with pytest.raises(lp.LaunchpathError, match=r"expected a pickle of launchpath 99\.0, got one of"):
        pickle.loads(data)


def test_a_device_that_another_process_lacks(program, monkeypatch):
    data = pickle.dumps(program.device)
    monkeypatch.setattr("launchpath._streams.device_again.devices", list)
    with pytest.raises(lp.NoDeviceError, match="this process has 0 of them"):
        pickle.loads(data)


def test_several_equal_devices(monkeypatch):
    """By the PCI bus where that is known, else by the place among the equal ones."""
    from launchpath._streams import device_again

    class Card:
        name = "card"

        def __init__(self, bus):
            self.info = {"driver": "cuda", "platform": "p", "name": "card", "pci_bus": bus}

    cards = [Card("01"), Card("02"), Card("")]
    monkeypatch.setattr(device_again, "devices", lambda: cards)
    states = [device_again.reduced(card) for card in cards]
    assert [function(*arguments) for function, arguments in states] == cards
    monkeypatch.setattr(device_again, "devices", lambda: [cards[1], cards[0]])
    function, arguments = states[0]
    assert function(*arguments) is cards[0]
    with pytest.raises(lp.NoDeviceError, match="device 3 of the kind cuda, p, card; this process has 2"):
        device_again.again(*states[2][1])


def test_simulated_devices_are_refused(machine: Machine):
    with pytest.raises(TypeError, match=r"not in launchpath\.devices\(\)"):
        pickle.dumps(machine.devices[0])


def test_kernels_of_other_libraries_are_refused(program):
    kernel = program.scaled._again()  # as `interop.adopt` makes it: without a program
    with pytest.raises(TypeError, match="scaled cannot be pickled: it is not of a program"):
        pickle.dumps(kernel)
