"""What devices say of themselves: an attribute for everything in `Device.info`, with its type and its text."""

import re
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import launchpath as lp
from launchpath._streams.facts import DeviceFacts
from tests.simulated import Machine

TOUR = Path(__file__).parents[3] / "docs" / "tour.md"
FACTS = {name: value for name, value in vars(DeviceFacts).items() if isinstance(value, property)}


def check(device: lp.Device) -> None:
    assert set(device.info) <= set(FACTS), "an entry of info has no attribute"
    for name, fact in FACTS.items():
        value = getattr(device, name)
        hint = get_type_hints(fact.fget)["return"]
        allowed = tuple(getattr(kind, "__origin__", None) or kind for kind in get_args(hint) if not get_args(kind))
        origin = getattr(hint, "__origin__", None)
        assert isinstance(value, origin or allowed or hint), (name, value, hint)
        if name in device.info and (value or device.info[name]) and device.info[name] != "unknown":
            assert (list(value) if name == "extensions" else value) == device.info[name], name


@pytest.mark.parametrize("device", lp.devices(), ids=str)
def test_every_entry_of_info_is_an_attribute(device: lp.Device) -> None:
    check(device)
    assert device.driver in ("opencl", "cuda", "hip")
    assert device.shared_memory_optin >= device.shared_memory_per_block
    assert (device.ordinal is None) == (device.driver == "opencl")


def test_what_a_platform_does_not_tell(machine: Machine) -> None:
    device = machine.device
    check(device)
    assert (device.driver, device.kind, device.name) == ("simulated", "simulated", "Simulated")
    assert device.max_block == (1024, 1024, 64)
    unknown = {name for name in FACTS if getattr(device, name) is None}
    assert unknown == {
        "version", "library", "max_allocation", "architecture", "ordinal", "pci_bus", "warp_size", "memory"
    }  # fmt: skip
    assert device.shared_memory_optin == device.shared_memory_per_block
    assert not (device.cooperative or device.stream_ordered or device.spirv or device.extensions)


def test_architectures_and_buses_that_the_library_does_not_know(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key, value in {"architecture": "unknown", "pci_bus": "", "warp_size": 0}.items():
        monkeypatch.setitem(machine.device.info, key, value)
        assert getattr(machine.device, key) is None


def test_every_attribute_says_what_it_is_where_it_may_be_unknown() -> None:
    for name, fact in FACTS.items():
        text = " ".join((fact.__doc__ or "").split())
        assert text.endswith((".", "`.")), name
        if type(None) in get_args(get_type_hints(fact.fget)["return"]):
            assert "None on" in text, name


@pytest.mark.skipif(not TOUR.exists(), reason="not in a checkout")
def test_the_tour_names_every_attribute() -> None:
    section = TOUR.read_text(encoding="utf-8").partition("\n## Devices\n")[2].partition("\n## ")[0]
    rows = "\n".join(line for line in section.splitlines() if line.startswith("| `"))
    assert set(re.findall(r"`(\w+)`", rows)) == set(FACTS)


def test_attributes_cannot_be_set(machine: Machine) -> None:
    for name in FACTS:
        with pytest.raises(AttributeError):
            setattr(machine.device, name, None)
