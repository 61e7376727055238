// What NCCL's header brings along, and its communicator.
#pragma once
#include <cublas_v2.h>
typedef struct ncclComm *ncclComm_t;
