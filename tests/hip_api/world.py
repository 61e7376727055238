"""What rows of wrong input name: a thing of each kind, and beside it one that is gone."""

import ctypes
from types import SimpleNamespace

import numpy as np

from .calls import compiled, ok
from .graphs import SOURCE, Program
from .world_textures import textures

SIZE = 400  # bytes of the memory
MORE = b"__device__ int counters[4] = {1, 2, 3, 4};\n"
NEVER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)


def build(hip):
    """Return everything by its name; the device is this thread's."""
    number = ok(hip.hipGetDevice())
    world = SimpleNamespace(hip=hip, number=number, another=int(not number), function=lambda *_: None)
    for part in (_memory, _streams, _modules, _graphs, _structs, _parameters, textures):
        part(world, hip)
    return world


def _memory(world, hip):
    world.memory, world.other, world.host = ok(hip.hipMalloc(SIZE)), ok(hip.hipMalloc(SIZE)), np.zeros(SIZE, "u1")
    world.inside = int(world.memory) + 4
    world.gone_memory = int(gone := ok(hip.hipMalloc(1 << 22)))
    ok(hip.hipFree(gone))
    ok(hip.hipDeviceSynchronize())
    world.pinned = ok(hip.hipHostMalloc(SIZE, 0))
    world.in_pinned = int(world.pinned) + 8
    world.place = ctypes.c_uint64()
    properties = hip.hipMemPoolProps()
    properties.allocType = hip.hipMemAllocationType.hipMemAllocationTypePinned
    properties.location.type = hip.hipMemLocationType.hipMemLocationTypeDevice
    properties.location.id = world.number
    world.pool, world.gone_pool = ok(hip.hipMemPoolCreate(properties)), ok(hip.hipMemPoolCreate(properties))
    ok(hip.hipMemPoolDestroy(world.gone_pool))
    world.default_pool = ok(hip.hipDeviceGetDefaultMemPool(world.number))
    world.channels = ok(hip.hipCreateChannelDesc(32, 0, 0, 0, hip.hipChannelFormatKind.hipChannelFormatKindFloat))
    world.array, world.gone_array = (ok(hip.hipMallocArray(world.channels, 8, 4, 0)) for _ in range(2))
    ok(hip.hipFreeArray(world.gone_array))


def _streams(world, hip):
    world.stream, world.gone_stream = ok(hip.hipStreamCreate()), ok(hip.hipStreamCreate())
    ok(hip.hipStreamDestroy(world.gone_stream))
    world.event, world.new_event, world.gone_event = (ok(hip.hipEventCreate()) for _ in range(3))
    ok(hip.hipEventDestroy(world.gone_event))
    world.timeless = ok(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming))
    for event in (world.event, world.timeless):
        ok(hip.hipEventRecord(event, world.stream))
    ok(hip.hipStreamSynchronize(world.stream))
    world.context = ok(hip.hipCtxCreate(0, world.number))
    ok(hip.hipCtxPopCurrent())
    world.gone_context = ok(hip.hipCtxCreate(0, world.number))
    ok(hip.hipCtxDestroy(world.gone_context))
    world.primary = ok(hip.hipCtxGetCurrent())
    world.user = ok(hip.hipUserObjectCreate(None, NEVER, 1, 1))
    world.gone_user = ok(hip.hipUserObjectCreate(None, NEVER, 1, 1))
    ok(hip.hipUserObjectRelease(world.gone_user, 1))


def _modules(world, hip):
    world.code = compiled(SOURCE + MORE)
    world.module, world.gone_module = (ok(hip.hipModuleLoadData(world.code)) for _ in range(2))
    world.kernel = ok(hip.hipModuleGetFunction(world.module, b"scale"))
    world.gone_kernel = ok(hip.hipModuleGetFunction(world.gone_module, b"scale"))
    ok(hip.hipModuleUnload(world.gone_module))
    world.library, _, _ = ok(hip.hipLibraryLoadData(world.code, None, 0, None, 0))
    world.gone_library, _, _ = ok(hip.hipLibraryLoadData(world.code, None, 0, None, 0))
    world.library_kernel = ok(hip.hipLibraryGetKernel(world.library, b"scale"))
    world.gone_library_kernel = ok(hip.hipLibraryGetKernel(world.gone_library, b"scale"))
    ok(hip.hipLibraryUnload(world.gone_library))


def _graphs(world, hip):
    # The kernel's parameters, as tests of graphs have them.
    program = Program.__new__(Program)
    program.hip, program.scale, program.kept = hip, world.kernel, []
    world.program = program
    world.launch = program.kernel(world.memory, 2)
    world.graph, world.cyclic, world.other_graph, world.gone_graph = (ok(hip.hipGraphCreate(0)) for _ in range(4))
    world.node = ok(hip.hipGraphAddEmptyNode(world.graph, None, 0))
    world.next = ok(hip.hipGraphAddEmptyNode(world.graph, world.node, 1))
    world.gone_node = ok(hip.hipGraphAddEmptyNode(world.gone_graph, None, 0))
    ok(hip.hipGraphDestroy(world.gone_graph))
    first, last = (ok(hip.hipGraphAddEmptyNode(world.cyclic, None, 0)) for _ in range(2))
    ok(hip.hipGraphAddDependencies(world.cyclic, (first, last), (last, first), 2))
    world.other_node = ok(hip.hipGraphAddEmptyNode(world.other_graph, None, 0))
    world.kernel_node = ok(hip.hipGraphAddKernelNode(world.graph, None, 0, world.launch))
    world.copy_node = ok(hip.hipGraphAddMemcpyNode1D(world.graph, None, 0, world.other, world.memory, SIZE, 3))
    world.executable, world.gone_executable = (ok(hip.hipGraphInstantiateWithFlags(world.graph, 0)) for _ in range(2))
    ok(hip.hipGraphExecDestroy(world.gone_executable))


def _structs(world, hip):
    world.dim = hip.dim3(x=1, y=1, z=1)
    world.here, world.nowhere, world.no_kind = hip.hipMemLocation(), hip.hipMemLocation(), hip.hipMemLocation()
    for location in (world.here, world.nowhere):
        location.type = hip.hipMemLocationType.hipMemLocationTypeDevice
    world.here.id, world.nowhere.id = world.number, 1000
    world.wide, world.flat = hip.hipExtent(), hip.hipExtent()
    world.wide.width, world.wide.height, world.wide.depth = 1000, 10, 1
    world.flat.width, world.flat.height, world.flat.depth = 4, 1, 1
    world.cube = hip.hipExtent()
    world.cube.width, world.cube.height, world.cube.depth = 1 << 40, 1 << 15, 1
    world.pitched, world.no_pitched = hip.hipPitchedPtr(), hip.hipPitchedPtr()
    world.pitched.ptr, world.pitched.pitch, world.pitched.xsize, world.pitched.ysize = world.memory, 20, 20, 20
    world.no_pitched.pitch = world.no_pitched.xsize = world.no_pitched.ysize = 20
    world.no_copy, world.small_copy = _box(hip, None, world, 1), _box(hip, world.memory, world, 99)
    world.right_copy = _box(hip, world.memory, world, 1)
    world.peers, world.right_peers = hip.hipMemcpy3DPeerParms(), hip.hipMemcpy3DPeerParms()
    world.peers.dstDevice = world.peers.srcDevice = 1000
    _fill_box(world.right_peers, world.memory, world, 1)
    world.right_peers.dstDevice = world.right_peers.srcDevice = world.number
    world.no_driver_copy = hip.HIP_MEMCPY3D()
    world.no_driver_copy.WidthInBytes = world.no_driver_copy.Height = world.no_driver_copy.Depth = 1
    world.no_rows = hip.hip_Memcpy2D()
    world.no_rows.WidthInBytes = world.no_rows.Height = 1
    for copy in (world.no_driver_copy, world.no_rows):
        copy.srcMemoryType = copy.dstMemoryType = hip.hipMemoryType.hipMemoryTypeDevice
    world.right_driver_copy, world.right_rows = hip.HIP_MEMCPY3D(), hip.hip_Memcpy2D()
    for copy in (world.right_driver_copy, world.right_rows):
        copy.WidthInBytes = copy.Height = 4
        copy.srcMemoryType = copy.dstMemoryType = hip.hipMemoryType.hipMemoryTypeDevice
        copy.srcDevice, copy.dstDevice = world.other, world.memory
    world.right_driver_copy.Depth = 1
    world.no_array, world.no_array3 = hip.HIP_ARRAY_DESCRIPTOR(), hip.HIP_ARRAY3D_DESCRIPTOR()
    world.odd_channels = ok(hip.hipCreateChannelDesc(7, 0, 0, 0, 0))
    world.no_pool, world.far_pool = hip.hipMemPoolProps(), hip.hipMemPoolProps()
    world.far_pool.allocType = hip.hipMemAllocationType.hipMemAllocationTypePinned
    world.far_pool.location.type = hip.hipMemLocationType.hipMemLocationTypeDevice
    world.far_pool.location.id = 1000
    world.far_access = hip.hipMemAccessDesc()
    world.far_access.location.type = hip.hipMemLocationType.hipMemLocationTypeDevice
    world.far_access.location.id = 1000


def _parameters(world, hip):
    world.attribute_value = hip.hipLaunchAttributeValue()
    world.no_fill = hip.hipMemsetParams(dst=int(world.memory), elementSize=3, height=1, pitch=0, value=0, width=1)
    world.far_fill = hip.hipMemsetParams(dst=64, elementSize=1, height=1, pitch=0, value=0, width=1)
    world.right_fill = hip.hipMemsetParams(dst=int(world.memory), elementSize=1, height=1, pitch=0, value=0, width=4)
    world.right_call = SimpleNamespace(fn=world.function, userData=None)
    world.right_node = hip.hipGraphNodeParams(type=hip.hipGraphNodeType.hipGraphNodeTypeWaitEvent)
    hip.hipGraphNodeParams_union_0.fromObj(int(world.right_node) + 16).eventWait.event = world.event
    world.right_allocation = hip.hipMemAllocNodeParams(bytesize=64)
    world.right_instance = hip.hipGraphInstantiateParams()
    world.no_call = hip.hipHostNodeParams()
    world.no_launch = hip.hipKernelNodeParams()
    world.bare_launch = hip.hipKernelNodeParams(func=world.kernel)
    world.bare_launch.gridDim.x = world.bare_launch.gridDim.y = world.bare_launch.gridDim.z = 1
    world.bare_launch.blockDim.x = world.bare_launch.blockDim.y = world.bare_launch.blockDim.z = 1
    world.no_grid, world.no_block, world.big_block = (world.program.kernel(world.memory, 2) for _ in range(3))
    world.no_grid.gridDim.x, world.no_block.blockDim.x, world.big_block.blockDim.x = 0, 0, 1 << 20
    world.no_allocation, world.no_instance = hip.hipMemAllocNodeParams(), hip.hipGraphInstantiateParams()
    world.no_instance.flags = 1 << 20


def _box(hip, end, world, height):
    copy = hip.hipMemcpy3DParms()
    copy.kind = hip.hipMemcpyKind.hipMemcpyDefault
    _fill_box(copy, end, world, height)
    return copy


def _fill_box(copy, end, world, height):
    copy.extent.width, copy.extent.height, copy.extent.depth = 10, height, 1
    for pitched, memory in ((copy.dstPtr, end), (copy.srcPtr, world.other)):
        pitched.ptr, pitched.pitch, pitched.ysize = memory, 10, height
