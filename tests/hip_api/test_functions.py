"""Functions, libraries, symbols, and the other ways to launch."""

import ctypes

import numpy as np
import pytest

from tests.threads import apart

from .calls import compiled, fails, ok
from .scale import COUNT, SCALE, Arguments, begin, check, cooperative

SOURCE = f"""{SCALE}
extern "C" __global__ void nothing() {{}}
extern "C" __global__ void tile(float *x) {{ __shared__ float t[64]; t[threadIdx.x] = 1; __syncthreads(); x[0] = t[1]; }}
__device__ int counters[4] = {{1, 2, 3, 4}};
""".encode()


@pytest.fixture(scope="module")
def code():
    return lambda: compiled(SOURCE)


@pytest.fixture
def module(hip, code):
    handle = ok(hip.hipModuleLoadData(code()))
    yield handle
    hip.hipModuleUnload(handle)


@pytest.fixture
def scale(hip, module):
    return ok(hip.hipModuleGetFunction(module, b"scale"))


@pytest.fixture
def memory(hip, made):
    return made(hip.hipMalloc(4 * COUNT))


def shape(hip):
    return hip.dim3(x=4), hip.dim3(x=32)


def launch_parameters(hip, scale, arguments, grid=4):
    p = hip.hipLaunchParams_t()
    p.func, p.args = int(scale), arguments.address
    p.gridDim.x, p.gridDim.y, p.gridDim.z = grid, 1, 1
    p.blockDim.x, p.blockDim.y, p.blockDim.z = 32, 1, 1
    return p


def function_parameters(hip, scale, arguments):
    p = hip.hipFunctionLaunchParams_t()
    p.function, p.kernelParams = scale, arguments.address
    p.gridDimX, p.gridDimY, p.gridDimZ = 4, 1, 1
    p.blockDimX, p.blockDimY, p.blockDimZ = 32, 1, 1
    return p


def test_launches_by_a_pointer(hip, scale, memory):
    begin(hip, memory)
    arguments = Arguments(memory, 3)
    ok(hip.hipLaunchKernel(scale, *shape(hip), arguments.pointers, 0, None))
    ok(hip.hipLaunchKernel(scale, *shape(hip), arguments.address, 0, None))
    check(hip, memory, 9)
    fails(hip.hipLaunchKernel(0x1234, *shape(hip), arguments.pointers, 0, None), "hipErrorInvalidDeviceFunction")
    fails(hip.hipLaunchKernel(scale, *shape(hip), None, 0, None), "hipErrorInvalidValue")
    fails(hip.hipLaunchKernel(scale, hip.dim3(x=0), hip.dim3(), arguments.pointers, 0, None), "hipErrorInvalidValue")


def test_launches_between_events(hip, scale, memory, made):
    begin(hip, memory)
    arguments = Arguments(memory, 2)
    start, stop = made(hip.hipEventCreate()), made(hip.hipEventCreate())
    rest = arguments.pointers, 0, None
    ok(hip.hipExtLaunchKernel(scale, *shape(hip), *rest, start, stop, 0))
    ok(hip.hipExtLaunchKernel(scale, *shape(hip), *rest, None, None, hip.hipExtAnyOrderLaunch))
    ok(hip.hipEventSynchronize(stop))
    assert ok(hip.hipEventElapsedTime(start, stop)) >= 0
    check(hip, memory, 4)
    fails(hip.hipExtLaunchKernel(scale, *shape(hip), *rest, start, stop, 2), "hipErrorInvalidValue")
    fails(hip.hipExtLaunchKernel(scale, *shape(hip), *rest, start, 4321, 0), "hipErrorInvalidValue")
    check(hip, memory, 4)


def test_cooperative_launches(hip, device, scale, memory):
    begin(hip, memory)
    arguments = Arguments(memory, 2)
    launch = launch_parameters(hip, scale, arguments)
    by_function = function_parameters(hip, scale, arguments)
    ran = [
        cooperative(hip, device, hip.hipLaunchCooperativeKernel(scale, *shape(hip), arguments.pointers, 0, None)),
        cooperative(hip, device, hip.hipLaunchCooperativeKernelMultiDevice(launch, 1, 0)),
        cooperative(hip, device, hip.hipModuleLaunchCooperativeKernelMultiDevice(by_function, 1, 3)),
        cooperative(hip, device, hip.hipModuleLaunchCooperativeKernelMultiDevice([by_function], 1, 0)),
    ]
    check(hip, memory, 2 ** sum(ran))
    wrong = hip.hipLaunchCooperativeKernel(77, *shape(hip), arguments.pointers, 0, None)
    fails(wrong, "hipErrorInvalidDeviceFunction")


def test_launches_on_several_devices(hip, scale, memory):
    begin(hip, memory)
    arguments = Arguments(memory, 2)
    by_function = function_parameters(hip, scale, arguments)
    launch = launch_parameters(hip, scale, arguments)
    ok(hip.hipExtLaunchMultiKernelMultiDevice(launch, 1, 0))
    ok(hip.hipExtLaunchMultiKernelMultiDevice(int(launch), 1, 0))
    check(hip, memory, 4)
    for call, p in (
        (hip.hipExtLaunchMultiKernelMultiDevice, launch),
        (hip.hipLaunchCooperativeKernelMultiDevice, launch),
        (hip.hipModuleLaunchCooperativeKernelMultiDevice, by_function),
    ):
        fails(call(p, 2, 0), "hipErrorNotSupported")
        fails(call(p, 0, 0), "hipErrorInvalidValue")
        fails(call(p, 1, 4), "hipErrorInvalidValue")
        fails(call(None, 1, 0), "hipErrorInvalidValue")


def attributes(*pairs):
    """Return memory of launch attributes: each a number and an int."""
    data = (ctypes.c_int * (18 * len(pairs)))()
    for index, (number, value) in enumerate(pairs):
        data[18 * index], data[18 * index + 2] = number, value
    return data


def test_launches_by_a_configuration(hip, device, scale, memory):
    begin(hip, memory)
    arguments = Arguments(memory, 5)
    config, driver = hip.hipLaunchConfig_t(), hip.HIP_LAUNCH_CONFIG()
    config.gridDim.x, config.gridDim.y, config.gridDim.z = 4, 1, 1
    config.blockDim.x, config.blockDim.y, config.blockDim.z = 32, 1, 1
    driver.gridDimX, driver.gridDimY, driver.gridDimZ = 4, 1, 1
    driver.blockDimX, driver.blockDimY, driver.blockDimZ = 32, 1, 1
    ok(hip.hipLaunchKernelExC(config, scale, arguments.pointers))
    ok(hip.hipDrvLaunchKernelEx(driver, scale, arguments.pointers, None))
    ok(hip.hipDrvLaunchKernelEx(driver, scale, None, arguments.values))
    check(hip, memory, 125)
    kinds = hip.hipLaunchAttributeID
    ignored = attributes((kinds.hipLaunchAttributeIgnore, 9), (kinds.hipLaunchAttributeCooperative, 1))
    config.attrs, config.numAttrs = ctypes.addressof(ignored), 2
    ran = cooperative(hip, device, hip.hipLaunchKernelExC(config, scale, arguments.pointers))
    check(hip, memory, 125 * 5**ran)
    for number, name in ((kinds.hipLaunchAttributePriority, "hipErrorNotSupported"), (999, "hipErrorInvalidValue")):
        others = attributes((number, 1))
        driver.attrs, driver.numAttrs = ctypes.addressof(others), 1
        fails(hip.hipDrvLaunchKernelEx(driver, scale, arguments.pointers, None), name)
    fails(hip.hipLaunchKernelExC(None, scale, arguments.pointers), "hipErrorInvalidValue")
    fails(hip.hipDrvLaunchKernelEx(None, scale, arguments.pointers, None), "hipErrorInvalidValue")


def test_the_stack_of_calls(hip, scale, memory):
    begin(hip, memory)
    arguments = Arguments(memory, 7)
    fails(hip.hipLaunchByPtr(scale), "hipErrorInvalidValue")
    fails(hip.hipSetupArgument(arguments.pointers[0], 8, 0), "hipErrorInvalidValue")
    ok(hip.hipConfigureCall(*shape(hip), 0, None))
    ok(hip.hipConfigureCall(*shape(hip), 0, None))
    fails(apart(hip.hipLaunchByPtr, scale), "hipErrorInvalidValue")
    for pointer, size, offset in zip(arguments.pointers, (8, 4, 4), (0, 8, 12), strict=True):
        ok(hip.hipSetupArgument(pointer, size, offset))
    arguments.values[1].value = 99  # it was copied
    ok(hip.hipLaunchByPtr(scale))
    check(hip, memory, 7)
    ok(hip.hipSetupArgument(arguments.pointers[0], 8, 0))
    fails(hip.hipSetupArgument(None, 8, 0), "hipErrorInvalidValue")
    fails(hip.hipLaunchByPtr(scale), "hipErrorInvalidValue")
    fails(hip.hipLaunchByPtr(scale), "hipErrorInvalidValue")
    ok(hip.hipConfigureCall(*shape(hip), 0, None))
    fails(hip.hipLaunchByPtr(12), "hipErrorInvalidDeviceFunction")


def test_a_functions_attributes_agree_and_those_that_cannot_be_set_are_refused(hip, device, module, scale):
    kinds = hip.hipFunction_attribute
    everything = ok(hip.hipFuncGetAttributes(scale))
    most = ok(hip.hipFuncGetAttribute(kinds.HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale))
    assert 1 <= most == everything.maxThreadsPerBlock <= device.info["max_threads_per_block"]
    shared = ok(hip.hipFuncGetAttribute(kinds.HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, scale))
    assert shared == everything.maxDynamicSharedSizeBytes > 0
    tile = ok(hip.hipModuleGetFunction(module, b"tile"))
    static = ok(hip.hipFuncGetAttribute(kinds.HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, tile))
    assert static == 0 or static >= 256  # a driver that does not report it says 0
    assert ok(hip.hipFuncGetAttributes(tile)).sharedSizeBytes == static
    for kind in kinds:
        if kind != kinds.HIP_FUNC_ATTRIBUTE_MAX:
            assert ok(hip.hipFuncGetAttribute(kind, scale)) >= 0
    fails(hip.hipFuncGetAttribute(kinds.HIP_FUNC_ATTRIBUTE_MAX, scale), "hipErrorInvalidValue")
    fails(hip.hipFuncGetAttribute(1234, scale), "hipErrorInvalidValue")
    fails(hip.hipFuncGetAttribute(0, 1234), "hipErrorInvalidDeviceFunction")
    fails(hip.hipFuncGetAttributes(1234), "hipErrorInvalidDeviceFunction")
    settable = hip.hipFuncAttribute
    ok(hip.hipFuncSetAttribute(scale, settable.hipFuncAttributeMaxDynamicSharedMemorySize, shared))
    fails(
        hip.hipFuncSetAttribute(scale, settable.hipFuncAttributeMaxDynamicSharedMemorySize, shared + 1),
        "hipErrorInvalidValue",
    )
    ok(hip.hipFuncSetAttribute(scale, settable.hipFuncAttributeMaxDynamicSharedMemorySize, 1024))
    ok(hip.hipFuncSetAttribute(scale, settable.hipFuncAttributePreferredSharedMemoryCarveout, 50))
    attributes = ok(hip.hipFuncGetAttributes(scale))
    assert (attributes.maxDynamicSharedSizeBytes, attributes.preferredShmemCarveout) == (1024, 50)
    ok(hip.hipFuncSetAttribute(scale, settable.hipFuncAttributeMaxDynamicSharedMemorySize, shared))
    fails(
        hip.hipFuncSetAttribute(scale, settable.hipFuncAttributePreferredSharedMemoryCarveout, 101),
        "hipErrorInvalidValue",
    )
    fails(hip.hipFuncSetAttribute(scale, settable.hipFuncAttributeRequiredClusterWidth, 1), "hipErrorInvalidValue")
    fails(hip.hipFuncSetAttribute(9, settable.hipFuncAttributeMax, 1), "hipErrorInvalidDeviceFunction")
    ok(hip.hipFuncSetCacheConfig(scale, hip.hipFuncCache_t.hipFuncCachePreferShared))
    fails(hip.hipFuncSetCacheConfig(scale, 77), "hipErrorInvalidValue")
    fails(hip.hipFuncSetCacheConfig(9, 0), "hipErrorInvalidDeviceFunction")
    ok(hip.hipFuncSetSharedMemConfig(scale, hip.hipSharedMemConfig.hipSharedMemBankSizeDefault))
    fails(hip.hipFuncSetSharedMemConfig(scale, 77), "hipErrorInvalidValue")
    fails(hip.hipFuncSetSharedMemConfig(9, 0), "hipErrorInvalidDeviceFunction")
    assert ok(hip.hipKernelNameRef(scale)) == b"scale" == ok(hip.hipKernelNameRefByPtr(scale, None))
    assert int(ok(hip.hipGetFuncBySymbol(int(scale)))) == int(scale)
    fails(hip.hipGetFuncBySymbol(9), "hipErrorInvalidDeviceFunction")
    fails(hip.hipKernelNameRef(9), "hipErrorInvalidValue")
    fails(hip.hipKernelNameRefByPtr(9, None), "hipErrorInvalidDeviceFunction")


def test_occupancy_by_a_pointer(hip, scale):
    blocks, threads = ok(hip.hipOccupancyMaxPotentialBlockSize(scale, 0, 64))
    assert blocks >= 1 and 1 <= threads <= 64
    module_calls = (
        hip.hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(scale, 64, 0),
        hip.hipOccupancyMaxActiveBlocksPerMultiprocessor(scale, 64, 0),
        hip.hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(scale, 64, 0, 0),
    )
    assert len({(code.name, count) for code, count in module_calls}) == 1
    available = hip.hipOccupancyAvailableDynamicSMemPerBlock(scale, 1, 64)
    if module_calls[0][0] == 0:
        assert ok(hip.hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(scale, 64, ok(available))) >= 1
        fails(hip.hipOccupancyAvailableDynamicSMemPerBlock(scale, 1 << 20, 64), "hipErrorInvalidValue")
    else:
        fails(available, "hipErrorNotSupported")
    fails(hip.hipOccupancyAvailableDynamicSMemPerBlock(scale, 0, 64), "hipErrorInvalidValue")
    fails(hip.hipOccupancyMaxActiveBlocksPerMultiprocessor(scale, 0, 0), "hipErrorInvalidValue")
    fails(hip.hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(scale, 64, 0, 4), "hipErrorInvalidValue")
    for occupancy in (
        hip.hipOccupancyMaxActiveBlocksPerMultiprocessor, hip.hipModuleOccupancyMaxActiveBlocksPerMultiprocessor,
    ):  # fmt: skip
        assert ok(occupancy(scale, 1 << 20, 0)) == ok(occupancy(scale, 32, 1 << 30)) == 0
    assert ok(hip.hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(scale, 64, 0, 1)) >= 1
    for call in (
        hip.hipOccupancyMaxActiveBlocksPerMultiprocessor, hip.hipOccupancyMaxPotentialBlockSize,
        hip.hipOccupancyAvailableDynamicSMemPerBlock,
    ):  # fmt: skip
        code = "InvalidValue" if call is hip.hipOccupancyMaxPotentialBlockSize else "InvalidDeviceFunction"
        fails(call(9, 1, 64), f"hipError{code}")


@pytest.mark.parametrize("from_file", [False, True])
def test_a_library_gives_its_kernels_and_globals_until_it_is_unloaded(hip, code, memory, tmp_path, from_file):
    path = tmp_path / "tests.co"
    path.write_bytes(code())
    load, source = (hip.hipLibraryLoadFromFile, str(path).encode()) if from_file else (hip.hipLibraryLoadData, code())
    fails(load(source, None, 1, None, 0), "hipErrorInvalidValue")
    library = ok(load(source, None, 0, None, 0))[0]
    assert ok(hip.hipLibraryGetKernelCount(library)) == 3
    kernel = ok(hip.hipLibraryGetKernel(library, b"scale"))
    assert int(ok(hip.hipLibraryGetKernel(library, "scale"))) == int(kernel)
    assert int(ok(hip.hipKernelGetLibrary(kernel))) == int(library)
    assert ok(hip.hipKernelGetName(kernel)) == b"scale"
    assert [ok(hip.hipKernelGetParamInfo(kernel, index)) for index in range(3)] == [(0, 8), (8, 4), (12, 4)]
    fails(hip.hipKernelGetParamInfo(kernel, 3), "hipErrorInvalidValue")
    begin(hip, memory)
    function, arguments = ok(hip.hipKernelGetFunction(kernel)), Arguments(memory, 6)
    ok(hip.hipLaunchKernel(function, *shape(hip), arguments.pointers, 0, None))
    check(hip, memory, 6)
    assert ok(hip.hipLibraryGetGlobal(library, b"counters"))[1] == 16
    fails(hip.hipLibraryGetGlobal(library, b"others"), "hipErrorNotFound")
    fails(hip.hipLibraryGetKernel(library, b"others"), "hipErrorNotFound")
    kind, number = hip.hipFunction_attribute, ok(hip.hipGetDevice())
    assert ok(hip.hipKernelGetAttribute(kind.HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, number)) >= 1
    fails(hip.hipKernelGetAttribute(kind.HIP_FUNC_ATTRIBUTE_MAX, kernel, number), "hipErrorInvalidValue")
    fails(hip.hipKernelGetAttribute(kind.HIP_FUNC_ATTRIBUTE_NUM_REGS, kernel, 1000), "hipErrorInvalidDevice")
    ok(hip.hipKernelSetAttribute(kind.HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64, kernel, number))
    fails(hip.hipKernelSetAttribute(kind.HIP_FUNC_ATTRIBUTE_NUM_REGS, 64, kernel, number), "hipErrorInvalidValue")
    ok(hip.hipLibraryUnload(library))
    for call in (hip.hipKernelGetFunction, hip.hipKernelGetLibrary, hip.hipKernelGetName):
        fails(call(kernel), "hipErrorInvalidValue")
    for call in (hip.hipLibraryUnload, hip.hipLibraryGetKernelCount):
        fails(call(library), "hipErrorInvalidValue")


def test_libraries_that_are_not_there(hip, tmp_path):
    missing = str(tmp_path / "none.co").encode()
    fails(hip.hipLibraryLoadFromFile(missing, None, 0, None, 0), "hipErrorInvalidValue")
    fails(hip.hipLibraryLoadData(b"no program", None, 0, None, 0), "hipErrorInvalidValue")


def test_other_ways_to_load_a_module(hip, code):
    module, _ = ok(hip.hipModuleLoadDataEx(code(), 0, None))
    other = ok(hip.hipModuleLoadFatBinary(code()))
    for each in (module, other):
        assert ok(hip.hipModuleGetFunctionCount(each)) == 3
        ok(hip.hipModuleUnload(each))
    fails(hip.hipModuleLoadDataEx(code(), 1, None), "hipErrorNotSupported")
    fails(hip.hipModuleLoadDataEx(b"no program", 0, None), "hipErrorInvalidImage")
    fails(hip.hipModuleLoadFatBinary(b"no program"), "hipErrorInvalidImage")


# Symbols.


def test_symbols_by_name_and_by_address(hip, module):
    kinds = hip.hipMemcpyKind
    address, size = ok(hip.hipModuleGetGlobal(module, b"counters"))
    for symbol in (b"counters", "counters", int(address), address):
        assert int(ok(hip.hipGetSymbolAddress(symbol))) == int(address)
        assert ok(hip.hipGetSymbolSize(symbol)) == size == 16
    expected = np.array([1, 2, 3, 4], "i4")
    for number, (variant, more) in enumerate([("", ()), ("Async", (None,)), ("_spt", ()), ("Async_spt", (None,))]):
        to = getattr(hip, f"hipMemcpyToSymbol{variant}")
        back = getattr(hip, f"hipMemcpyFromSymbol{variant}")
        values, result = np.array([10 * number, 7], "i4"), np.zeros(4, "i4")
        ok(to("counters", values, 8, 4, kinds.hipMemcpyHostToDevice, *more))
        ok(back(result, int(address), 16, 0, kinds.hipMemcpyDeviceToHost, *more))
        expected[1:3] = values
        np.testing.assert_array_equal(result, expected)
        fails(to("counters", values, 8, 12, kinds.hipMemcpyHostToDevice, *more), "hipErrorInvalidValue")
        fails(back(result, "counters", 20, 0, kinds.hipMemcpyDeviceToHost, *more), "hipErrorInvalidValue")
        wrong = to("counters", values, 8, 0, kinds.hipMemcpyDeviceToHost, *more)
        fails(wrong, "hipErrorInvalidMemcpyDirection")
        wrong = back(result, "counters", 8, 0, kinds.hipMemcpyHostToDevice, *more)
        fails(wrong, "hipErrorInvalidMemcpyDirection")
        fails(to("others", values, 8, 0, kinds.hipMemcpyHostToDevice, *more), "hipErrorInvalidSymbol")
        fails(back(values, 0x123, 8, 0, kinds.hipMemcpyDeviceToHost, *more), "hipErrorInvalidSymbol")
    fails(hip.hipGetSymbolAddress(b"others"), "hipErrorInvalidSymbol")
    fails(hip.hipGetSymbolSize(int(address) + 4), "hipErrorInvalidSymbol")
    ok(hip.hipModuleUnload(module))
    fails(hip.hipGetSymbolAddress(b"counters"), "hipErrorInvalidSymbol")


def test_a_reset_unloads_modules(hip, module, scale):
    ok(hip.hipDeviceReset())
    fails(hip.hipModuleUnload(module), "hipErrorInvalidHandle")
    fails(hip.hipKernelNameRef(scale), "hipErrorInvalidValue")
