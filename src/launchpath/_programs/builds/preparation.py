"""What a driver's compiler does once in a process, done while launchpath's own compiler works.

Intel's prepares itself on each thread that it is called from, in a tenth of a second, and whatever it compiles. So it
gets a kernel that does nothing, on the thread that then builds the program: see `building`.

PoCL's reads its library of functions for the first program that it links, in 0.4 s. A program that it had linked
before would be in its own cache, so it gets one that it cannot link. That calls no function of the library, so it is
built without their header.
"""

from __future__ import annotations

import struct
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from launchpath._drivers.workarounds import POCL
from launchpath._programs.builds import building, without_header

if TYPE_CHECKING:
    from launchpath._streams.device import Device

LACKING = "void launchpath_nowhere(void); kernel void k(void) { launchpath_nowhere(); }"  # in OpenCL C
_SPIRV = 0x07230203, 0x00010000, 0, 5  # magic number, version 1.0, no generator, and numbers below 5 in use
_VOID, _TYPE, _FUNCTION, _LABEL = range(1, 5)
# Each instruction with its number and its operands.
_INSTRUCTIONS = (
    (17, 6), (17, 4),  # OpCapability Kernel, Addresses
    (14, 2, 2),  # OpMemoryModel Physical64 OpenCL
    (15, 6, _FUNCTION, int.from_bytes(b"k", "little")),  # OpEntryPoint Kernel "k"
    (19, _VOID), (33, _TYPE, _VOID),  # OpTypeVoid, OpTypeFunction
    (54, _VOID, _FUNCTION, 0, _TYPE), (248, _LABEL), (253,), (56,),  # OpFunction, OpLabel, OpReturn, OpFunctionEnd
)  # fmt: skip


def empty_kernel() -> bytes:
    """Make a module of SPIR-V with a kernel that does nothing."""
    words = [*_SPIRV, 0]
    for number, *operands in _INSTRUCTIONS:
        words += [(1 + len(operands)) << 16 | number, *operands]
    return struct.pack(f"<{len(words)}I", *words)


def beside(device: Device) -> AbstractContextManager[Any]:
    """Prepare a device's compiler on another thread, for as long as it takes, the first time that this is called."""
    takes_spirv = device.info["dialect"] == "spirv"
    if not takes_spirv and device.info["platform"] != POCL:
        return nullcontext()
    driver = device.driver_device

    def prepare(_running: building.Build[None]) -> None:
        if takes_spirv:
            driver.load(empty_kernel())
        else:
            driver.build(LACKING, without_header.options(device.info))

    return building.Preparing(device.name, prepare)
