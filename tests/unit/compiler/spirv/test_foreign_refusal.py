"""SPIR-V of other compilers: kernels that cannot be launched, and modules that are damaged."""

import array

import pytest

import launchpath as lp
from launchpath._compiler.spirv.enumerants import Storage
from launchpath._compiler.spirv.foreign.adoption import adopt
from launchpath._compiler.spirv.module import Instruction, Module
from launchpath._compiler.spirv.opcodes import Op
from launchpath.errors import ArgumentValueError, CompileError, LaunchpathError
from tests.foreign_source import KERNELS, compiled
from tests.unit.compiler.spirv.foreign import parameters
from tests.unit.support.spirv_source import Writer, sound

# -- kernels that cannot be launched


def opaque(opcode: int, *operands: int, behind: Storage | None = None) -> bytes:
    """A module with a kernel whose second parameter is of such a type."""
    writer = Writer()
    put, make = writer.put, writer.make
    put(Op.Capability, 4), put(Op.Capability, 6)
    put(Op.MemoryModel, 2, 2)
    kernel, number, strange = 50, 51, 52
    writer.module.bound = 53
    put(Op.EntryPoint, 6, kernel, "blur")
    put(Op.Name, strange, "picture")
    void, whole = make(Op.TypeVoid), make(Op.TypeInt, 32, 0)
    kind = writer.module.new_id()
    put(opcode, kind, *(void if operand == -1 else operand for operand in operands))
    if behind is not None:
        kind = writer.pointer(behind, kind)
    of = make(Op.TypeFunction, void, whole, kind)
    writer.module.instructions += [
        Instruction(Op.Function, [void, kernel, 0, of]),
        Instruction(Op.FunctionParameter, [whole, number]),
        Instruction(Op.FunctionParameter, [kind, strange]),
    ]
    make(Op.Label)
    put(Op.Return), put(Op.FunctionEnd)
    return writer.module.encode()


@pytest.mark.parametrize(
    ("module", "says"),
    [
        (opaque(25, -1, 1, 0, 0, 0, 0, 0, 0), "an image"),
        (opaque(26), "a sampler"),
        (opaque(31, 0x74), "of an opaque type"),
        (opaque(34), "an event"),
        (opaque(37), "a device's queue"),
        (opaque(38, 0), "a pipe"),
        (opaque(31, 0x74, behind=Storage.CrossWorkgroup), "of an opaque type"),
        (opaque(4456, 32, 3), "of a type that an extension brings"),
        (opaque(21, 24, 0), "a number with a width of no C type"),
        (opaque(21, 32, 1, behind=Storage.Function), "a pointer to private memory"),
        (opaque(21, 32, 1, behind=Storage.Input), "a pointer to storage class 1"),
    ],
)
def test_parameters_that_a_launch_cannot_pass(module, says):
    with pytest.raises(ArgumentValueError, match=rf"^x\.spv: parameter 1 \(picture\) of kernel 'blur' is {says}"):
        adopt(module, "x.spv")


def test_bools():
    adopted = adopt(opaque(20))
    sound(adopted.module)
    assert parameters(adopted.kernels[0][1])[1] == ("picture", "bool", "bool", 1, 4, None, False)


def test_a_structure_of_no_size():
    with pytest.raises(ArgumentValueError, match=r"^x: parameter 'picture' .* with 0 bytes"):
        adopt(opaque(30), "x")


@pytest.mark.processes
def test_two_pointers_to_local_memory():
    data = compiled("__kernel void k(__local float *a, __global float *x, __local int *b) { x[0] = a[0] + b[0]; }")
    with pytest.raises(ArgumentValueError, match=r"kernel 'k' has 2 pointers to local memory \(a, b\)"):
        adopt(data)


@pytest.mark.processes
@pytest.mark.parametrize(
    ("model", "message"),
    [([0, 1], "SPIR-V for Vulkan or OpenGL"), ([1, 2], "SPIR-V with 64-bit addresses, .* for the target spirv64")],
)
def test_shaders_and_addresses_of_32_bits(model, message):
    module = Module.decode(compiled(KERNELS))
    next(module.find(Op.MemoryModel)).words[:] = model
    with pytest.raises(ArgumentValueError, match=message):
        adopt(module.encode())


@pytest.mark.processes
def test_a_library():
    module = Module.decode(compiled(KERNELS))
    module.instructions = [i for i in module.instructions if i.opcode not in (Op.EntryPoint, Op.ExecutionMode)]
    with pytest.raises(ArgumentValueError, match="a library without kernels"):
        adopt(module.encode())


@pytest.mark.processes
def test_the_simulated_device_runs_none(machine):
    with pytest.raises(CompileError, match="is simulated, and does not run SPIR-V"):
        lp.load(compiled(KERNELS), machine.device)


# -- damage


FUNCTION_END = (1 << 16 | Op.FunctionEnd).to_bytes(4, "little")


@pytest.mark.processes
def test_a_module_cut_short_anywhere():
    data = compiled("__kernel void k(__global int *x, int n) { if (n) x[0] = n; }")
    for length in range(len(data)):
        if data[length - 4 : length] == FUNCTION_END and length % 4 == 0:
            adopt(data[:length], "m")  # Clang's copies of kernels, for others to call, come last
            continue
        with pytest.raises(ArgumentValueError, match=r"^m is truncated"):
            adopt(data[:length], "m")


@pytest.mark.processes
@pytest.mark.parametrize("value", [0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0x00010000])
def test_wrong_words(value):
    words = array.array(
        "I", compiled("struct P { int a[3]; }; __kernel void k(__global int *x, struct P p) { *x = p.a[1]; }")
    )
    for at in range(len(words)):
        changed = words[:]
        changed[at] = value
        try:
            adopt(changed.tobytes()).module.encode()
        except LaunchpathError as error:
            assert isinstance(error, ArgumentValueError | CompileError)
