// What RCCL's header brings along, and its communicator.
#pragma once
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>
typedef struct ncclComm *ncclComm_t;
