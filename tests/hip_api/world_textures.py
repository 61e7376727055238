"""Descriptions of textures that rows of wrong input name."""

import ctypes

from .calls import ok

PITCH = 64


def textures(world, hip):
    """Add them to the world, which has memory and arrays."""
    world.reads, world.module_reads = hip.hipTextureDesc(), hip.HIP_TEXTURE_DESC()
    world.no_mode, world.no_filter, world.no_read, world.srgb = (hip.hipTextureDesc() for _ in range(4))
    _int(world.no_mode, 0, 7)
    _int(world.no_filter, 12, 7)
    _int(world.no_read, 16, 7)
    world.srgb.sRGB = 1
    world.linear_filter, world.bordered = hip.hipTextureDesc(), hip.hipTextureDesc()
    _int(world.linear_filter, 12, 1)
    for at in range(3):
        _int(world.bordered, 4 * at, 3)
    _int(world.bordered, 24, 1)  # borderColor[0]
    world.odd_flags = hip.HIP_TEXTURE_DESC()
    world.odd_flags.flags = 1 << 20
    world.view, world.module_view = hip.hipResourceViewDesc(), hip.HIP_RESOURCE_VIEW_DESC()
    _resources(world, hip)
    world.texture, world.gone_texture = (
        ok(hip.hipCreateTextureObject(world.of_array, world.reads, None)) for _ in range(2)
    )
    ok(hip.hipDestroyTextureObject(world.gone_texture))


def _resources(world, hip):
    kinds = hip.hipResourceType
    world.of_array, world.of_gone, world.mipmapped, world.no_type = (hip.hipResourceDesc() for _ in range(4))
    world.of_array.res.array.array, world.of_gone.res.array.array = world.array, world.gone_array
    world.mipmapped.resType = kinds.hipResourceTypeMipmappedArray
    _int(world.no_type, 0, 9)
    world.module_array, world.module_gone, world.module_flags, world.module_format = (
        hip.HIP_RESOURCE_DESC() for _ in range(4)
    )
    for each, array in ((world.module_array, world.array), (world.module_gone, world.gone_array)):
        each.res.array.hArray = array
    world.module_flags.res.array.hArray, world.module_flags.flags = world.array, 1
    world.module_format.resType = hip.HIPresourcetype.HIP_RESOURCE_TYPE_LINEAR
    world.module_format.res.linear.devPtr, world.module_format.res.linear.sizeInBytes = world.memory, 64
    world.of_ints = _linear(hip, world.memory, 64)
    world.of_ints.res.linear.desc.f = hip.hipChannelFormatKind.hipChannelFormatKindSigned
    world.too_long, world.empty = _linear(hip, world.memory, 1 << 20), _linear(hip, world.memory, 0)
    world.of_host, world.of_nothing = _linear(hip, world.host.ctypes.data, 64), _linear(hip, None, 64)
    world.of_pinned, world.of_gone_memory = _linear(hip, world.pinned, 64), _linear(hip, world.gone_memory, 64)
    world.unaligned = _linear(hip, int(world.memory) + 2, 64)
    world.right_rows_of, world.narrow, world.rowless, world.too_many = (
        _rows(hip, world.memory, *each) for each in ((8, 4, PITCH), (8, 4, 16), (8, 0, PITCH), (8, 400, PITCH))
    )


def _linear(hip, memory, size):
    resource = hip.hipResourceDesc()
    resource.resType = hip.hipResourceType.hipResourceTypeLinear
    resource.res.linear.devPtr, resource.res.linear.sizeInBytes = memory, size
    _floats(hip, resource.res.linear.desc)
    return resource


def _rows(hip, memory, width, height, pitch):
    resource = hip.hipResourceDesc()
    resource.resType = hip.hipResourceType.hipResourceTypePitch2D
    rows = resource.res.pitch2D
    rows.devPtr, rows.width, rows.height, rows.pitchInBytes = memory, width, height, pitch
    _floats(hip, rows.desc)
    return resource


def _floats(hip, desc):
    desc.x, desc.f = 32, hip.hipChannelFormatKind.hipChannelFormatKindFloat


def _int(struct, at, value):
    ctypes.c_int.from_address(struct.as_c_void_p().value + at).value = value
