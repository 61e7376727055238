// cuRAND's generator of host code; that of device code is in curand_kernel.h.
#pragma once
typedef struct curandGenerator_st *curandGenerator_t;
