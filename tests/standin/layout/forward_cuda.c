/* The forwarding library's table of device attributes, held against NVIDIA's header: the CUDA numbers in it. */
#include <cuda.h>
#include <stddef.h>

#include "../hip/abi.h"
#include "same.h"

#define EccEnabled ECC_ENABLED
#define AsyncEngineCount ASYNC_ENGINE_COUNT
#define CanMapHostMemory CAN_MAP_HOST_MEMORY
#define ClockRate CLOCK_RATE
#define ComputeMode COMPUTE_MODE
#define ConcurrentKernels CONCURRENT_KERNELS
#define ConcurrentManagedAccess CONCURRENT_MANAGED_ACCESS
#define CooperativeLaunch COOPERATIVE_LAUNCH
#define Integrated INTEGRATED
#define L2CacheSize L2_CACHE_SIZE
#define ComputeCapabilityMajor COMPUTE_CAPABILITY_MAJOR
#define ManagedMemory MANAGED_MEMORY
#define MaxBlocksPerMultiProcessor MAX_BLOCKS_PER_MULTIPROCESSOR
#define MaxBlockDimX MAX_BLOCK_DIM_X
#define MaxBlockDimY MAX_BLOCK_DIM_Y
#define MaxBlockDimZ MAX_BLOCK_DIM_Z
#define MaxGridDimX MAX_GRID_DIM_X
#define MaxGridDimY MAX_GRID_DIM_Y
#define MaxGridDimZ MAX_GRID_DIM_Z
#define MaxThreadsPerBlock MAX_THREADS_PER_BLOCK
#define MaxThreadsPerMultiProcessor MAX_THREADS_PER_MULTIPROCESSOR
#define MaxPitch MAX_PITCH
#define MemoryBusWidth GLOBAL_MEMORY_BUS_WIDTH
#define MemoryClockRate MEMORY_CLOCK_RATE
#define ComputeCapabilityMinor COMPUTE_CAPABILITY_MINOR
#define MultiprocessorCount MULTIPROCESSOR_COUNT
#define PageableMemoryAccess PAGEABLE_MEMORY_ACCESS
#define PciBusId PCI_BUS_ID
#define PciDeviceId PCI_DEVICE_ID
#define PciDomainID PCI_DOMAIN_ID
#define MaxRegistersPerBlock MAX_REGISTERS_PER_BLOCK
#define MaxRegistersPerMultiprocessor MAX_REGISTERS_PER_MULTIPROCESSOR
#define ReservedSharedMemPerBlock RESERVED_SHARED_MEMORY_PER_BLOCK
#define MaxSharedMemoryPerBlock MAX_SHARED_MEMORY_PER_BLOCK
#define SharedMemPerBlockOptin MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
#define SharedMemPerMultiprocessor MAX_SHARED_MEMORY_PER_MULTIPROCESSOR
#define StreamPrioritiesSupported STREAM_PRIORITIES_SUPPORTED
#define TextureAlignment TEXTURE_ALIGNMENT
#define TotalConstantMemory TOTAL_CONSTANT_MEMORY
#define UnifiedAddressing UNIFIED_ADDRESSING
#define WarpSize WARP_SIZE
#define MemoryPoolsSupported MEMORY_POOLS_SUPPORTED

#define JOIN(prefix, name) prefix##name
#define ROW(name, hip, cuda) SAME(cuda, JOIN(CU_DEVICE_ATTRIBUTE_, name));
HF_ATTRIBUTES(ROW)
