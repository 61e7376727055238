"""The codes of launches, which are the same for every function that launches."""

import ctypes

import pytest

from .calls import fails, ok
from .graphs import N
from .rows import BAD

UNIT = (1, 1, 1)
# A block that no device has; 64 bits hold it.
MUCH = (1 << 20, 1, 1)


class Launch:
    """A launch of the kernel `scale`, right but for what a test changes."""

    def __init__(self, world):
        self.world, self.function = world, world.kernel
        self.grid, self.block, self.shared, self.stream = UNIT, (N, 1, 1), 0, None
        values = ctypes.c_void_p(int(world.memory)), ctypes.c_float(1), ctypes.c_int(N)
        self.values = (world.memory, *values[1:])
        self.array = (ctypes.c_void_p * 3)(*map(ctypes.addressof, values))
        self.pointers = ctypes.addressof(self.array)
        self.owners = values

    def without_arguments(self):
        self.values = self.pointers = None
        return self


def dim3(hip, size):
    return hip.dim3(x=size[0], y=size[1], z=size[2])


def _config(hip, launch):
    config = hip.hipLaunchConfig_t()
    for dimensions, size in ((config.gridDim, launch.grid), (config.blockDim, launch.block)):
        dimensions.x, dimensions.y, dimensions.z = size
    config.dynamicSmemBytes, config.stream = launch.shared, launch.stream
    return config


def _driver(hip, launch):
    config = hip.HIP_LAUNCH_CONFIG()
    config.gridDimX, config.gridDimY, config.gridDimZ = launch.grid
    config.blockDimX, config.blockDimY, config.blockDimZ = launch.block
    config.sharedMemBytes, config.hStream = launch.shared, launch.stream
    return config


def _several(hip, launch):
    params = hip.hipLaunchParams_t()
    params.func, params.args, params.sharedMem, params.stream = (
        launch.function,
        launch.pointers,
        launch.shared,
        launch.stream,
    )
    for dimensions, size in ((params.gridDim, launch.grid), (params.blockDim, launch.block)):
        dimensions.x, dimensions.y, dimensions.z = size
    return params


def _several_functions(hip, launch):
    params = hip.hipFunctionLaunchParams_t()
    params.function, params.kernelParams = launch.function, launch.pointers
    params.sharedMemBytes, params.hStream = launch.shared, launch.stream
    params.gridDimX, params.gridDimY, params.gridDimZ = launch.grid
    params.blockDimX, params.blockDimY, params.blockDimZ = launch.block
    return params


def _stack(hip, launch):
    result = hip.hipConfigureCall(dim3(hip, launch.grid), dim3(hip, launch.block), launch.shared, launch.stream)
    ok(result)
    if launch.pointers:
        for owner, offset in zip(launch.owners, (0, 8, 12), strict=True):
            ok(hip.hipSetupArgument(ctypes.addressof(owner), ctypes.sizeof(owner), offset))
    return hip.hipLaunchByPtr(launch.function)


def _both_sizes(hip, launch):
    return dim3(hip, launch.grid), dim3(hip, launch.block)


LAUNCHES = {
    "hipModuleLaunchKernel": lambda hip, a: hip.hipModuleLaunchKernel(
        a.function, *a.grid, *a.block, a.shared, a.stream, None, a.values
    ),
    "hipModuleLaunchCooperativeKernel": lambda hip, a: hip.hipModuleLaunchCooperativeKernel(
        a.function, *a.grid, *a.block, a.shared, a.stream, a.pointers
    ),
    "hipLaunchKernel": lambda hip, a: hip.hipLaunchKernel(
        a.function, *_both_sizes(hip, a), a.pointers, a.shared, a.stream
    ),
    "hipLaunchCooperativeKernel": lambda hip, a: hip.hipLaunchCooperativeKernel(
        a.function, *_both_sizes(hip, a), a.pointers, a.shared, a.stream
    ),
    "hipExtLaunchKernel": lambda hip, a: hip.hipExtLaunchKernel(
        a.function, *_both_sizes(hip, a), a.pointers, a.shared, a.stream, None, None, 0
    ),
    "hipLaunchKernelExC": lambda hip, a: hip.hipLaunchKernelExC(_config(hip, a), a.function, a.pointers),
    "hipDrvLaunchKernelEx": lambda hip, a: hip.hipDrvLaunchKernelEx(_driver(hip, a), a.function, a.pointers, None),
    "hipExtLaunchMultiKernelMultiDevice": lambda hip, a: hip.hipExtLaunchMultiKernelMultiDevice(_several(hip, a), 1, 0),
    "hipLaunchCooperativeKernelMultiDevice": lambda hip, a: hip.hipLaunchCooperativeKernelMultiDevice(
        _several(hip, a), 1, 0
    ),
    "hipModuleLaunchCooperativeKernelMultiDevice": lambda hip, a: hip.hipModuleLaunchCooperativeKernelMultiDevice(
        _several_functions(hip, a), 1, 0
    ),
    "hipLaunchByPtr": _stack,
}
# The code for what is no kernel: of handles where the documentation lists it, or where AMD's runtime returns it.
OF_HANDLES = (
    "hipDrvLaunchKernelEx",
    "hipModuleLaunchCooperativeKernel",
    "hipModuleLaunchCooperativeKernelMultiDevice",
    "hipModuleLaunchKernel",
)
STREAM_HANDLES = ("hipModuleLaunchCooperativeKernel", "hipModuleLaunchCooperativeKernelMultiDevice")


@pytest.fixture(params=sorted(LAUNCHES))
def name(request):
    return request.param


@pytest.fixture
def launch(world):
    return Launch(world)


def run(hip, name, launch, **changes):
    for what, value in changes.items():
        setattr(launch, what, value)
    return LAUNCHES[name](hip, launch)


def test_a_launch_that_is_right(hip, device, name, launch):
    result = run(hip, name, launch)
    if "Cooperative" in name and not device.info.get("cooperative"):
        fails(result, "hipErrorCooperativeLaunchTooLarge")
    else:
        ok(result)
        ok(hip.hipDeviceSynchronize())


@pytest.mark.parametrize("axis", range(3))
def test_sizes_of_zero(hip, name, launch, axis):
    zero = tuple(int(index != axis) for index in range(3))
    fails(run(hip, name, launch, grid=zero), "hipErrorInvalidValue")
    fails(run(hip, name, launch, block=zero), "hipErrorInvalidValue")  # the grid comes first
    fails(run(hip, name, launch, grid=UNIT, block=zero), "hipErrorInvalidConfiguration")


def test_sizes_that_are_too_large(hip, name, launch):
    fails(run(hip, name, launch, block=MUCH), "hipErrorInvalidConfiguration")
    fails(run(hip, name, launch, block=(1 << 11, 1 << 11, 1 << 11)), "hipErrorInvalidConfiguration")
    fails(run(hip, name, launch, block=(N, 1, 1), shared=1 << 30), "hipErrorInvalidValue")


def test_arguments_that_are_missing(hip, name, launch):
    fails(run(hip, name, launch.without_arguments()), "hipErrorInvalidValue")


def test_what_is_no_kernel(hip, world, name, launch):
    code = "hipErrorInvalidHandle" if name in OF_HANDLES else "hipErrorInvalidDeviceFunction"
    for wrong in (None, BAD, world.gone_kernel):
        fails(run(hip, name, launch, function=wrong), code)


def test_what_is_no_stream(hip, world, name, launch):
    code = "hipErrorInvalidHandle" if name in STREAM_HANDLES else "hipErrorInvalidValue"
    for wrong in (BAD, world.gone_stream):
        fails(run(hip, name, launch, stream=wrong), code)


def test_both_forms_of_parameters(hip, world, launch):
    sizes = (*launch.grid, *launch.block, 0, None)
    both = hip.hipModuleLaunchKernel(world.kernel, *sizes, launch.pointers, launch.values)
    fails(both, "hipErrorInvalidValue")
    config = _driver(hip, launch)
    fails(hip.hipDrvLaunchKernelEx(config, world.kernel, launch.pointers, launch.values), "hipErrorInvalidValue")
    node = world.program.kernel(world.memory, 2)
    buffer = (ctypes.c_void_p * 5)(1, launch.pointers, 2, launch.pointers, 3)
    node.extra = ctypes.addressof(buffer)
    fails(hip.hipGraphAddKernelNode(world.graph, None, 0, node), "hipErrorInvalidValue")


def test_arguments_that_do_not_fit(hip, world, launch):
    sizes = (*launch.grid, *launch.block, 0, None, None)
    for wrong in ((), launch.values[:2], (*launch.values, 1), (*launch.values[:2], ctypes.c_double(1))):
        fails(hip.hipModuleLaunchKernel(world.kernel, *sizes, wrong), "hipErrorInvalidValue")
    nulls = (ctypes.c_void_p * 3)()
    fails(hip.hipModuleLaunchKernel(world.kernel, *sizes[:-1], nulls, None), "hipErrorInvalidValue")


def test_structs_of_launches(hip, world):
    for name, arguments in (
        ("hipLaunchKernelExC", (world.kernel, None)),
        ("hipDrvLaunchKernelEx", (world.kernel, None, None)),
        ("hipExtLaunchMultiKernelMultiDevice", (1, 0)),
        ("hipLaunchCooperativeKernelMultiDevice", (1, 0)),
        ("hipModuleLaunchCooperativeKernelMultiDevice", (1, 0)),
    ):
        for null in (None, 0):
            fails(getattr(hip, name)(null, *arguments), "hipErrorInvalidValue")


def test_several_devices(hip, launch):
    for name, params in (
        ("hipExtLaunchMultiKernelMultiDevice", _several),
        ("hipLaunchCooperativeKernelMultiDevice", _several),
        ("hipModuleLaunchCooperativeKernelMultiDevice", _several_functions),
    ):
        for count, flags in ((0, 0), (1, 77)):
            fails(getattr(hip, name)(params(hip, launch), count, flags), "hipErrorInvalidValue")


def test_events_and_flags_of_a_launch(hip, world, launch):
    start = (world.kernel, *_both_sizes(hip, launch), launch.pointers, 0, None)
    for wrong in ((BAD, None, 0), (None, world.gone_event, 0), (None, None, 77)):
        fails(hip.hipExtLaunchKernel(*start, *wrong), "hipErrorInvalidValue")


def test_launches_that_are_captured(hip, world, launch, made):
    stream = made(hip.hipStreamCreate())
    ok(hip.hipStreamBeginCapture(stream, 2))
    for name in ("hipModuleLaunchKernel", "hipLaunchKernel", "hipLaunchKernelExC", "hipModuleLaunchCooperativeKernel"):
        fails(run(hip, name, Launch(world), stream=stream, grid=(0, 1, 1)), "hipErrorInvalidValue")
        fails(run(hip, name, Launch(world), stream=stream, block=(0, 1, 1)), "hipErrorInvalidConfiguration")
        fails(run(hip, name, Launch(world), stream=stream, block=MUCH), "hipErrorInvalidConfiguration")
        fails(run(hip, name, Launch(world).without_arguments(), stream=stream), "hipErrorInvalidValue")
    graph = made(hip.hipStreamEndCapture(stream))
    assert ok(hip.hipGraphGetNodes(graph)) == ((), 0)


def test_a_cooperative_launch_that_is_too_large(hip, world, device):
    for name in (name for name in LAUNCHES if "Cooperative" in name):
        large = run(hip, name, Launch(world), grid=(1 << 22, 1, 1))
        fails(large, "hipErrorCooperativeLaunchTooLarge")
        fails(run(hip, name, Launch(world), grid=(1 << 22, 1, 1), block=MUCH), "hipErrorInvalidConfiguration")


def test_cooperation_by_an_attribute(hip, world):
    kinds, attribute = hip.hipLaunchAttributeID, (ctypes.c_int * 18)()  # of 72 bytes: its number, and its value at 8
    attribute[0], attribute[2] = kinds.hipLaunchAttributeCooperative, 1
    launch = Launch(world)
    launch.grid = (1 << 22, 1, 1)
    config, driver = _config(hip, launch), _driver(hip, launch)
    for each in (config, driver):
        each.attrs, each.numAttrs = ctypes.addressof(attribute), 1
    too_large = "hipErrorCooperativeLaunchTooLarge"
    fails(hip.hipLaunchKernelExC(config, world.kernel, launch.pointers), too_large)
    fails(hip.hipDrvLaunchKernelEx(driver, world.kernel, launch.pointers, None), too_large)
    attribute[0] = 999
    fails(hip.hipLaunchKernelExC(config, world.kernel, launch.pointers), "hipErrorInvalidValue")


def test_more_shared_memory_than_there_is_in_a_node(hip, world):
    node = world.program.kernel(world.memory, 2)
    node.sharedMemBytes = (1 << 31) - 1
    fails(hip.hipGraphAddKernelNode(world.graph, None, 0, node), "hipErrorInvalidValue")
