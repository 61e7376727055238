// hipFFT's types of numbers, its plans, and its enumerators.
#pragma once
#include <hip/hip_complex.h>
#include <hip/library_types.h>
typedef float hipfftReal;
typedef double hipfftDoubleReal;
typedef hipComplex hipfftComplex;
typedef hipDoubleComplex hipfftDoubleComplex;
typedef struct hipfftHandle_t *hipfftHandle;
typedef enum hipfftType_t {
  HIPFFT_R2C = 0x2a, HIPFFT_C2R = 0x2c, HIPFFT_C2C = 0x29, HIPFFT_D2Z = 0x6a, HIPFFT_Z2D = 0x6c, HIPFFT_Z2Z = 0x69
} hipfftType;
typedef enum hipfftResult_t {
  HIPFFT_SUCCESS = 0, HIPFFT_INVALID_PLAN, HIPFFT_ALLOC_FAILED, HIPFFT_INVALID_TYPE, HIPFFT_INVALID_VALUE,
  HIPFFT_INTERNAL_ERROR, HIPFFT_EXEC_FAILED, HIPFFT_SETUP_FAILED, HIPFFT_INVALID_SIZE, HIPFFT_UNALIGNED_DATA,
  HIPFFT_INCOMPLETE_PARAMETER_LIST, HIPFFT_INVALID_DEVICE, HIPFFT_PARSE_ERROR, HIPFFT_NO_WORKSPACE,
  HIPFFT_NOT_IMPLEMENTED, HIPFFT_NOT_SUPPORTED = 16
} hipfftResult;
#define HIPFFT_FORWARD -1
#define HIPFFT_BACKWARD 1
typedef hipfftComplex (*hipfftCallbackLoadC)(void *, size_t, void *, void *);
typedef hipfftDoubleComplex (*hipfftCallbackLoadZ)(void *, size_t, void *, void *);
typedef hipfftReal (*hipfftCallbackLoadR)(void *, size_t, void *, void *);
typedef hipfftDoubleReal (*hipfftCallbackLoadD)(void *, size_t, void *, void *);
typedef void (*hipfftCallbackStoreC)(void *, size_t, hipfftComplex, void *, void *);
typedef void (*hipfftCallbackStoreZ)(void *, size_t, hipfftDoubleComplex, void *, void *);
typedef void (*hipfftCallbackStoreR)(void *, size_t, hipfftReal, void *, void *);
typedef void (*hipfftCallbackStoreD)(void *, size_t, hipfftDoubleReal, void *, void *);
