"""OpenCL C to test: of HIP C++ through the whole compiler, and of modules written by hand."""

from functools import cache

import numpy as np
import pytest

from launchpath._compiler import opencl_c, target
from launchpath._compiler.compile import compile as compile_source
from launchpath._compiler.signature import Parameter, Signature
from launchpath._compiler.source.source import from_text
from launchpath._compiler.spirv.enumerants import Storage
from launchpath._compiler.spirv.module import Instruction
from launchpath._compiler.spirv.opcodes import Op
from tests.conftest import present
from tests.unit.support.spirv_source import Writer

EXTENSIONS = (
    "cl_khr_fp64", "cl_khr_fp16", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics", "cl_khr_subgroups",
    "cl_khr_subgroup_shuffle", "cl_khr_subgroup_ballot", "cl_khr_kernel_clock",
)  # fmt: skip


@cache
def written(
    source: str,
    dialect: str = "clc",
    kind: str = "cpu",
    extensions: tuple[str, ...] = EXTENSIONS,
    platform: str = "Some OpenCL",
) -> str:
    """Compile HIP C++ to OpenCL C; the part after what every text begins with."""
    described = {"extensions": extensions, "dialect": dialect, "kind": kind, "platform": platform}
    image = compile_source(from_text(source, "user.hip"), (), target.target_of(described))
    assert image.kind == "source"
    return image.code.decode().split("#endif\n", 1)[1]


@pytest.fixture
def pocl():
    device = present().get("pocl")
    if device is None:
        pytest.skip("no PoCL here")
    return device


class Assembly(Writer):
    """A module with one kernel ``k(const uint *in, uint *out)``, which `close` ends.

    Attributes
    ----------
    void, bool, uint, ulong, pointer_type, unsigned : int
        Types.
    first, second : int
        The parameters.
    """

    def __init__(self):
        super().__init__()
        for capability in (4, 5, 6, 11):  # Addresses, Linkage, Kernel, Int64
            self.put(Op.Capability, capability)
        self.std = self.module.new_id()
        self.put(Op.ExtInstImport, self.std, "OpenCL.std")
        self.put(Op.MemoryModel, 2, 2)
        self.kernel = self.module.new_id()
        self.put(Op.EntryPoint, 6, self.kernel, "k")
        self.void, self.bool = self.make(Op.TypeVoid), self.make(Op.TypeBool)
        self.uint, self.ulong = self.make(Op.TypeInt, 32, 0), self.make(Op.TypeInt, 64, 0)
        self.pointer_type = self.pointer(Storage.CrossWorkgroup, self.uint)
        self._constants = {}
        self._declared = len(self.module.instructions)

    def constant(self, value):
        """Give a constant of 32 bits."""
        if value not in self._constants:
            identifier = self._constants[value] = self.module.new_id()
            declaration = Instruction(Op.Constant, [self.uint, identifier, value & 0xFFFFFFFF])
            self.module.instructions.insert(self._declared, declaration)
            self._declared += 1
        return self._constants[value]

    def open(self):
        """Begin the kernel and its first block."""
        signature = self.make(Op.TypeFunction, self.void, self.pointer_type, self.pointer_type)
        self.put(Op.Function, self.void, self.kernel, 0, signature)
        self.first = self.make(Op.FunctionParameter, self.pointer_type)
        self.second = self.make(Op.FunctionParameter, self.pointer_type)
        return self.label()

    def label(self, known=None):
        """Begin a block."""
        if known is None:
            return self.make(Op.Label)
        self.put(Op.Label, known)
        return known

    def load(self, index):
        """Read from the first parameter."""
        return self.make(Op.Load, self.uint, self.at(self.first, index), 2, 4)

    def at(self, base, index):
        """Give the address of an element."""
        return self.make(Op.InBoundsPtrAccessChain, self.pointer_type, base, self.constant(index))

    def store(self, index, value):
        """Write to the second parameter."""
        self.put(Op.Store, self.at(self.second, index), value, 2, 4)

    def close(self):
        """End the kernel."""
        self.put(Op.Return)
        self.put(Op.FunctionEnd)

    def text(self, dialect="clc", extensions=None):
        """Write it as OpenCL C."""
        return opencl_c.write(self.module, dialect, extensions)

    def run(self, device, numbers, count):
        """Run it on a device with one thread, without the packed block: give what it has written."""
        import launchpath as lp
        from launchpath._programs.kernel import Kernel

        # The packed block stands before the kernel's own parameters, and its addresses are unpacked by hand.
        text = self.text().replace("__kernel void k(", "static void k_inner(") + (
            "typedef struct { ulong a[2]; } given_block;\n"
            "__kernel void k(given_block b) { k_inner((__global u32 *)b.a[0], (__global u32 *)b.a[1]); }\n"
        )
        parameters = tuple(
            Parameter(name, "unsigned int *", "pointer", 8, 8, at, "uint32") for name, at in (("a", 0), ("b", 8))
        )
        signature = Signature("k", parameters, 16)
        built = device.driver_device.build(text).kernel("k", parameter_bytes=16, dynamic_shared=False)
        a = lp.asarray(np.asarray(numbers, "uint32"), device=device)
        b = lp.zeros(count, "uint32", device)
        Kernel(built, device, signature)[1, 1](a, b)
        return b.to_numpy().tolist()
