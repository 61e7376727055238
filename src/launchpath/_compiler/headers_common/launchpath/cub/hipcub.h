// hipCUB's macros.
#pragma once

#define HIPCUB_WARP_THREADS 32
#define HIPCUB_WARP_SIZE_32 32
#define HIPCUB_WARP_SIZE_64 64
#define HIPCUB_DEVICE_WARP_THREADS 32
#define HIPCUB_HOST_WARP_THREADS 32
#define HIPCUB_DEVICE __device__
#define HIPCUB_HOST __host__
#define HIPCUB_HOST_DEVICE __host__ __device__
#define HIPCUB_FORCEINLINE __forceinline__
#define HIPCUB_RUNTIME_FUNCTION __host__
#define HipcubDebug(e) (e)
