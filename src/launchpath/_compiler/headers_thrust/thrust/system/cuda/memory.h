// The same of the host's system: see execution_policy.h.
#pragma once
#include <thrust/system/cuda/execution_policy.h>
#include __THRUST_DEVICE_SYSTEM_ALGORITH_HEADER_INCLUDE(memory.h)
