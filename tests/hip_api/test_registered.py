"""HIP's functions that take host symbols: registered kernels, by name and by a launchpath_symbol of C code."""

import ctypes
import gc

import numpy as np
import pytest

import launchpath as lp

from ..native.table import Symbol
from .calls import fails, ok
from .scale import COUNT, SCALE, Arguments, begin, check, cooperative


@pytest.fixture
def registration():
    with lp.register(SCALE) as registered:
        yield registered


@pytest.fixture
def memory(hip, made):
    result = made(hip.hipMalloc(4 * COUNT))
    begin(hip, result)
    return result


def spellings(symbol):
    """Each way to name a registered kernel."""
    place = ctypes.addressof(symbol)
    return {
        "str": "scale",
        "bytes": b"scale",
        "bytearray": bytearray(b"scale"),
        "address": place,
        "void *": ctypes.c_void_p(place),
        "pointer": ctypes.pointer(symbol),
        "reference": ctypes.byref(symbol),
        "struct": symbol,
    }


def test_launches_by_each_spelling(hip, registration, memory):
    symbol, arguments = Symbol(b"scale"), Arguments(memory, 2)
    shape = hip.dim3(x=4), hip.dim3(x=32)
    for spelling in spellings(symbol).values():
        ok(hip.hipLaunchKernel(spelling, *shape, arguments.pointers, 0, None))
    check(hip, memory, 2 ** len(spellings(symbol)))
    assert list(symbol.kernels) == [0] * 4  # it is read only


def test_every_way_to_launch(hip, device, registration, memory, made):
    symbol, arguments = Symbol(b"scale"), Arguments(memory, 2)
    place = ctypes.addressof(symbol)
    shape = hip.dim3(x=4), hip.dim3(x=32)
    config, launch = hip.hipLaunchConfig_t(), hip.hipLaunchParams_t()
    launch.func, launch.args = place, arguments.address
    config.gridDim.x, config.gridDim.y, config.gridDim.z = launch.gridDim.x, launch.gridDim.y, launch.gridDim.z = (
        4,
        1,
        1,
    )
    config.blockDim.x, config.blockDim.y, config.blockDim.z = 32, 1, 1
    launch.blockDim.x, launch.blockDim.y, launch.blockDim.z = 32, 1, 1
    stop = made(hip.hipEventCreate())
    ok(hip.hipLaunchKernelExC(config, place, arguments.pointers))
    ok(hip.hipExtLaunchKernel("scale", *shape, arguments.pointers, 0, None, None, stop, 0))
    ok(hip.hipExtLaunchMultiKernelMultiDevice(launch, 1, 0))
    ok(hip.hipConfigureCall(*shape, 0, None))
    for pointer, size, offset in zip(arguments.pointers, (8, 4, 4), (0, 8, 12), strict=True):
        ok(hip.hipSetupArgument(pointer, size, offset))
    ok(hip.hipLaunchByPtr(place))
    ran = 4 + cooperative(hip, device, hip.hipLaunchCooperativeKernel(place, *shape, arguments.pointers, 0, None))
    ran += cooperative(hip, device, hip.hipLaunchCooperativeKernelMultiDevice(launch, 1, 0))
    check(hip, memory, 2**ran)


def test_a_node_of_a_graph(hip, registration, memory, made):
    symbol, arguments = Symbol(b"scale"), Arguments(memory, 3)
    params, graph = hip.hipKernelNodeParams(), made(hip.hipGraphCreate(0))
    params.func, params.kernelParams = ctypes.addressof(symbol), arguments.address
    params.gridDim.x, params.gridDim.y, params.gridDim.z = 4, 1, 1
    params.blockDim.x, params.blockDim.y, params.blockDim.z = 32, 1, 1
    ok(hip.hipGraphAddKernelNode(graph, None, 0, params))
    executable = ok(hip.hipGraphInstantiate(graph, 0))
    executable = executable[0] if isinstance(executable, tuple) else executable
    registration.unregister()
    ok(hip.hipGraphLaunch(executable, None))
    check(hip, memory, 3)
    ok(hip.hipGraphExecDestroy(executable))


def test_attributes_and_occupancy(hip, registration):
    symbol = Symbol(b"scale")
    for spelling in spellings(symbol).values():
        function = ok(hip.hipGetFuncBySymbol(spelling))
        assert int(function) == int(ok(hip.hipGetFuncBySymbol("scale")))
        most = ok(hip.hipFuncGetAttributes(spelling)).maxThreadsPerBlock
        assert most == ok(hip.hipFuncGetAttributes(function)).maxThreadsPerBlock >= 1
        kind = hip.hipFuncAttribute.hipFuncAttributePreferredSharedMemoryCarveout
        ok(hip.hipFuncSetAttribute(spelling, kind, 50))
        fails(hip.hipFuncSetAttribute(spelling, kind, 101), "hipErrorInvalidValue")
        assert ok(hip.hipKernelNameRefByPtr(spelling, None)) == b"scale"
        assert ok(hip.hipOccupancyMaxPotentialBlockSize(spelling, 0, 64))[1] <= 64
        for call, rest in (
            (hip.hipOccupancyMaxActiveBlocksPerMultiprocessor, (64, 0)),
            (hip.hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, (64, 0, 0)),
            (hip.hipOccupancyAvailableDynamicSMemPerBlock, (1, 64)),
        ):
            by_symbol, by_function = call(spelling, *rest), call(function, *rest)
            assert by_symbol == by_function
            assert by_symbol[0].name in ("hipSuccess", "hipErrorNotSupported")


def test_a_function_ends_with_the_registration(hip, registration, memory):
    arguments = Arguments(memory, 2)
    function = ok(hip.hipGetFuncBySymbol("scale"))
    launch = 4, 1, 1, 32, 1, 1, 0, None, arguments.pointers, None
    for _ in range(3):  # the handle is kept by the core
        ok(hip.hipModuleLaunchKernel(function, *launch))
    registration.unregister()
    fails(hip.hipModuleLaunchKernel(function, *launch), "hipErrorInvalidHandle")
    fails(hip.hipFuncGetAttributes(function), "hipErrorInvalidDeviceFunction")
    fails(hip.hipGetFuncBySymbol("scale"), "hipErrorInvalidDeviceFunction")
    assert "got 'scale': register it" in hip.reason()
    with lp.register(SCALE.replace("*= f", "+= f"), "scale"):
        assert int(ok(hip.hipGetFuncBySymbol("scale"))) != int(function)
        ok(hip.hipLaunchKernel("scale", hip.dim3(x=4), hip.dim3(x=32), arguments.pointers, 0, None))
    result = np.zeros(COUNT, "f4")
    ok(hip.hipMemcpyDtoH(result, memory, 4 * COUNT))
    np.testing.assert_array_equal(result, np.arange(COUNT, dtype="f4") * 8 + 2)


def wrong_pointers():
    """Each pointer that names nothing, and what keeps it alive."""
    garbage = ctypes.create_string_buffer(b"\xff" * 64)
    unknown, nameless, unreadable, empty = Symbol(b"unknown"), Symbol(None), Symbol(None), Symbol(b"")
    not_text, endless = Symbol(b"\xff\xfe"), Symbol(b"x" * 5000)
    ctypes.c_uint64.from_address(ctypes.addressof(unreadable)).value = 0x10
    scale = Symbol(b"scale")
    kept = [garbage, unknown, nameless, unreadable, empty, not_text, endless, scale]
    places = [ctypes.addressof(each) for each in kept[:-1]]
    return kept, [
        *places,
        ctypes.addressof(scale) + 1,
        ctypes.addressof(scale) + 8,
        0,
        None,
        8,
        0x1238,
        -8,
        1 << 63,
        1 << 70,
    ]


def test_what_names_no_kernel(hip, registration):
    kept, pointers = wrong_pointers()
    for pointer in ["unknown", b"\xff", "", *pointers]:
        for call in (hip.hipFuncGetAttributes, hip.hipGetFuncBySymbol):
            fails(call(pointer), "hipErrorInvalidDeviceFunction")
        fails(hip.hipKernelNameRef(pointer), "hipErrorInvalidValue")  # as documented
        assert "launchpath" in hip.reason()
        shape = hip.dim3(x=1), hip.dim3(x=1)
        fails(hip.hipLaunchKernel(pointer, *shape, None, 0, None), "hipErrorInvalidDeviceFunction")
    assert kept


def test_the_kernel_is_that_of_the_threads_device(hip, two_devices, memory):
    from launchpath.hip._devices import current

    symbol, functions = Symbol(b"scale"), []
    with lp.register(SCALE):
        for device in two_devices:
            current.choose(device)
            functions.append(int(ok(hip.hipGetFuncBySymbol(ctypes.addressof(symbol)))))
            assert lp.find_kernel("scale", device).device is device
    assert len(set(functions)) == 2
    with lp.register(lp.compile(SCALE, two_devices[0])):
        fails(hip.hipGetFuncBySymbol("scale"), "hipErrorInvalidDeviceFunction")
        assert "its program is on another device" in hip.reason()


def test_a_source_that_does_not_compile(hip):
    with lp.register("__global__ void broken(int *x) { x = }", "broken"):
        fails(hip.hipFuncGetAttributes("broken"), "hipErrorInvalidImage")
    gc.collect()
