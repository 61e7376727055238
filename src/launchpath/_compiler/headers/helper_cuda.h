// The helpers of CUDA's samples; where host code is only parsed, as declarations.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <cuda_runtime.h>

#ifdef __LP_NATIVE__
#include <launchpath/helpers/check.h>
#include <launchpath/helpers/image.h>
#include <launchpath/helpers/string.h>
#include <launchpath/helpers/timer.h>
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
#ifndef MIN
#define MIN(a, b) (a < b ? a : b)
#endif
#elif defined(__LP_CALLS__)
template <class _T> void check(_T result, const char *function, const char *file, int line) {}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
#define printLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
void __getLastCudaError(const char *message, const char *file, int line);
int findCudaDevice(int, const char **);
int gpuDeviceInit(int);
int gpuGetMaxGflopsDeviceId();
int _ConvertSMVer2Cores(int major, int minor);
const char *_ConvertSMVer2ArchName(int major, int minor);
bool checkCudaCapabilities(int major, int minor);
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
#ifndef MIN
#define MIN(a, b) (a < b ? a : b)
#endif

bool checkCmdLineFlag(int, const char **, const char *);
int getCmdLineArgumentInt(int, const char **, const char *);
float getCmdLineArgumentFloat(int, const char **, const char *);
bool getCmdLineArgumentString(int, const char **, const char *, char **);
char *sdkFindFilePath(const char *, const char *);

class StopWatchInterface;
bool sdkCreateTimer(StopWatchInterface **);
bool sdkDeleteTimer(StopWatchInterface **);
bool sdkStartTimer(StopWatchInterface **);
bool sdkStopTimer(StopWatchInterface **);
bool sdkResetTimer(StopWatchInterface **);
float sdkGetTimerValue(StopWatchInterface **);
float sdkGetAverageTimerValue(StopWatchInterface **);
template <class _T> bool compareData(const _T *, const _T *, unsigned int, _T, float) { return true; }
bool sdkCompareL2fe(const float *, const float *, unsigned int, float);
#define EXIT_WAIVED 2
#endif
}
