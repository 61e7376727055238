// The helpers of CUDA's samples that check calls and choose a device.
#pragma once
#include <cuda_runtime.h>
#include <launchpath/helpers/string.h>
#include <stdio.h>
#include <stdlib.h>

inline const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
template <class _T> inline const char *_cudaGetErrorEnum(_T) { return "<unknown>"; }

template <class _T> inline void check(_T result, const char *function, const char *file, int line) {
  if (!(int)result) return;
  fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, (int)result, _cudaGetErrorEnum(result),
          function);
  exit(EXIT_FAILURE);
}
inline bool __lp_last_error(const char *message, const char *file, int line) {
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return false;
  fprintf(stderr, "%s(%d): CUDA error: %s: (%d) %s.\n", file, line, message, (int)error, cudaGetErrorString(error));
  return true;
}
inline void __getLastCudaError(const char *message, const char *file, int line) {
  if (__lp_last_error(message, file, line)) exit(EXIT_FAILURE);
}
inline void __printLastCudaError(const char *message, const char *file, int line) {
  __lp_last_error(message, file, line);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

// Arithmetic units of a multiprocessor, by compute capability; of one that is not listed, those of the last.
inline int _ConvertSMVer2Cores(int major, int minor) {
  static constexpr int listed[][2] = {{30, 192}, {32, 192}, {35, 192}, {37, 192}, {50, 128}, {52, 128}, {53, 128},
                                      {60, 64},  {61, 128}, {62, 128}, {70, 64},  {72, 64},  {75, 64},  {80, 64},
                                      {86, 128}, {87, 128}, {89, 128}, {90, 128}};
  for (auto &one : listed)
    if (one[0] == 10 * major + minor) return one[1];
  return 128;
}
inline const char *_ConvertSMVer2ArchName(int major, int minor) {
  switch (major) {
    case 3: return "Kepler";
    case 5: return "Maxwell";
    case 6: return "Pascal";
    case 7: return minor == 0 ? "Volta" : minor == 2 ? "Xavier" : "Turing";
    case 8: return minor == 9 ? "Ada" : "Ampere";
    default: return "Hopper";
  }
}

inline int gpuDeviceInit(int device) {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (!count) {
    fprintf(stderr, "gpuDeviceInit() CUDA error: no devices supporting CUDA.\n");
    exit(EXIT_FAILURE);
  }
  if (device < 0) device = 0;
  if (device >= count) {
    fprintf(stderr, ">> gpuDeviceInit (-device=%d) is not a valid GPU device: there are %d. <<\n", device, count);
    return -device;
  }
  checkCudaErrors(cudaSetDevice(device));
  return device;
}
inline int gpuGetMaxGflopsDeviceId() {
  int count = 0, best = 0;
  double most = -1;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (!count) {
    fprintf(stderr, "gpuGetMaxGflopsDeviceId() CUDA error: no devices supporting CUDA.\n");
    exit(EXIT_FAILURE);
  }
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    checkCudaErrors(cudaGetDeviceProperties(&properties, device));
    if (properties.computeMode == cudaComputeModeProhibited) continue;
    double speed = (double)properties.multiProcessorCount * _ConvertSMVer2Cores(properties.major, properties.minor) *
                   properties.clockRate;
    if (speed > most) most = speed, best = device;
  }
  return best;
}
inline int findCudaDevice(int argc, const char **argv) {
  int device;
  if (checkCmdLineFlag(argc, argv, "device")) {
    device = gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device="));
    if (device < 0) exit(EXIT_FAILURE);
  } else {
    device = gpuGetMaxGflopsDeviceId();
    checkCudaErrors(cudaSetDevice(device));
  }
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name, properties.major,
         properties.minor);
  return device;
}
inline int findIntegratedGPU() {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    checkCudaErrors(cudaGetDeviceProperties(&properties, device));
    if (!properties.integrated || properties.computeMode == cudaComputeModeProhibited) continue;
    checkCudaErrors(cudaSetDevice(device));
    return device;
  }
  return -1;
}
inline bool checkCudaCapabilities(int major, int minor) {
  int device = 0;
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  if (properties.major > major || (properties.major == major && properties.minor >= minor)) return true;
  printf("  No GPU device was found that supports CUDA compute capability %d.%d.\n", major, minor);
  return false;
}
