/* What CUDA's header and HIP's have in common but for the beginnings of names: NAME, STRUCT and those of pools. */

SAME(GPU_POINTER_DEVICE_ORDINAL, NAME(POINTER_ATTRIBUTE_DEVICE_ORDINAL));
SAME(GPU_LAUNCH_BUFFER_POINTER, (uintptr_t)NAME(LAUNCH_PARAM_BUFFER_POINTER));
SAME(GPU_LAUNCH_BUFFER_SIZE, (uintptr_t)NAME(LAUNCH_PARAM_BUFFER_SIZE));
SAME(GPU_FUNCTION_MAX_THREADS, NAME(FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
SAME(GPU_FUNCTION_SHARED_SIZE, NAME(FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
SAME(GPU_FUNCTION_LOCAL_SIZE, NAME(FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
SAME(GPU_FUNCTION_CONST_SIZE, NAME(FUNC_ATTRIBUTE_CONST_SIZE_BYTES));
SAME(GPU_FUNCTION_PTX_VERSION, NAME(FUNC_ATTRIBUTE_PTX_VERSION));
SAME(GPU_FUNCTION_BINARY_VERSION, NAME(FUNC_ATTRIBUTE_BINARY_VERSION));
SAME(GPU_FUNCTION_REGISTERS, NAME(FUNC_ATTRIBUTE_NUM_REGS));
SAME(GPU_FUNCTION_MAX_DYNAMIC_SHARED, NAME(FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
SAME(GPU_FUNCTION_CARVEOUT, NAME(FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT));

SAME(sizeof(struct gpu_pool_properties), sizeof(POOL_PROPERTIES));
OFFSET(struct gpu_pool_properties, type, POOL_PROPERTIES, allocType);
OFFSET(struct gpu_pool_properties, handles, POOL_PROPERTIES, handleTypes);
OFFSET(struct gpu_pool_properties, location.type, POOL_PROPERTIES, location.type);
OFFSET(struct gpu_pool_properties, location.id, POOL_PROPERTIES, location.id);
OFFSET(struct gpu_pool_properties, security, POOL_PROPERTIES, win32SecurityAttributes);

SAME(sizeof(struct gpu_pool_access), sizeof(POOL_ACCESS));
OFFSET(struct gpu_pool_access, location.type, POOL_ACCESS, location.type);
OFFSET(struct gpu_pool_access, location.id, POOL_ACCESS, location.id);
OFFSET(struct gpu_pool_access, flags, POOL_ACCESS, flags);

SAME(GPU_FORMAT_UINT8, NAME(AD_FORMAT_UNSIGNED_INT8));
SAME(GPU_FORMAT_UINT16, NAME(AD_FORMAT_UNSIGNED_INT16));
SAME(GPU_FORMAT_UINT32, NAME(AD_FORMAT_UNSIGNED_INT32));
SAME(GPU_FORMAT_INT8, NAME(AD_FORMAT_SIGNED_INT8));
SAME(GPU_FORMAT_INT16, NAME(AD_FORMAT_SIGNED_INT16));
SAME(GPU_FORMAT_INT32, NAME(AD_FORMAT_SIGNED_INT32));
SAME(GPU_FORMAT_HALF, NAME(AD_FORMAT_HALF));
SAME(GPU_FORMAT_FLOAT, NAME(AD_FORMAT_FLOAT));
SAME(GPU_RESOURCE_ARRAY, NAME(RESOURCE_TYPE_ARRAY));
SAME(GPU_RESOURCE_LINEAR, NAME(RESOURCE_TYPE_LINEAR));
SAME(GPU_RESOURCE_ROWS, NAME(RESOURCE_TYPE_PITCH2D));
SAME(GPU_ADDRESS_WRAP, NAME(TR_ADDRESS_MODE_WRAP));
SAME(GPU_ADDRESS_CLAMP, NAME(TR_ADDRESS_MODE_CLAMP));
SAME(GPU_ADDRESS_MIRROR, NAME(TR_ADDRESS_MODE_MIRROR));
SAME(GPU_ADDRESS_BORDER, NAME(TR_ADDRESS_MODE_BORDER));
SAME(GPU_FILTER_POINT, NAME(TR_FILTER_MODE_POINT));
SAME(GPU_FILTER_LINEAR, NAME(TR_FILTER_MODE_LINEAR));
SAME(GPU_READ_AS_INTEGER, NAME(TRSF_READ_AS_INTEGER));
SAME(GPU_NORMALIZED_COORDINATES, NAME(TRSF_NORMALIZED_COORDINATES));

SAME(sizeof(struct gpu_array), sizeof(STRUCT(ARRAY3D_DESCRIPTOR)));
OFFSET(struct gpu_array, width, STRUCT(ARRAY3D_DESCRIPTOR), Width);
OFFSET(struct gpu_array, height, STRUCT(ARRAY3D_DESCRIPTOR), Height);
OFFSET(struct gpu_array, depth, STRUCT(ARRAY3D_DESCRIPTOR), Depth);
OFFSET(struct gpu_array, format, STRUCT(ARRAY3D_DESCRIPTOR), Format);
OFFSET(struct gpu_array, channels, STRUCT(ARRAY3D_DESCRIPTOR), NumChannels);
OFFSET(struct gpu_array, flags, STRUCT(ARRAY3D_DESCRIPTOR), Flags);

SAME(sizeof(struct gpu_resource), sizeof(STRUCT(RESOURCE_DESC)));
OFFSET(struct gpu_resource, type, STRUCT(RESOURCE_DESC), resType);
OFFSET(struct gpu_resource, of.array, STRUCT(RESOURCE_DESC), res.array.hArray);
OFFSET(struct gpu_resource, of.linear.memory, STRUCT(RESOURCE_DESC), res.linear.devPtr);
OFFSET(struct gpu_resource, of.linear.format, STRUCT(RESOURCE_DESC), res.linear.format);
OFFSET(struct gpu_resource, of.linear.channels, STRUCT(RESOURCE_DESC), res.linear.numChannels);
OFFSET(struct gpu_resource, of.linear.size, STRUCT(RESOURCE_DESC), res.linear.sizeInBytes);
OFFSET(struct gpu_resource, of.rows.memory, STRUCT(RESOURCE_DESC), res.pitch2D.devPtr);
OFFSET(struct gpu_resource, of.rows.format, STRUCT(RESOURCE_DESC), res.pitch2D.format);
OFFSET(struct gpu_resource, of.rows.channels, STRUCT(RESOURCE_DESC), res.pitch2D.numChannels);
OFFSET(struct gpu_resource, of.rows.width, STRUCT(RESOURCE_DESC), res.pitch2D.width);
OFFSET(struct gpu_resource, of.rows.height, STRUCT(RESOURCE_DESC), res.pitch2D.height);
OFFSET(struct gpu_resource, of.rows.pitch, STRUCT(RESOURCE_DESC), res.pitch2D.pitchInBytes);

SAME(sizeof(struct gpu_texture_reads), sizeof(STRUCT(TEXTURE_DESC)));
OFFSET(struct gpu_texture_reads, address, STRUCT(TEXTURE_DESC), addressMode);
OFFSET(struct gpu_texture_reads, filter, STRUCT(TEXTURE_DESC), filterMode);
OFFSET(struct gpu_texture_reads, flags, STRUCT(TEXTURE_DESC), flags);
OFFSET(struct gpu_texture_reads, border, STRUCT(TEXTURE_DESC), borderColor);
