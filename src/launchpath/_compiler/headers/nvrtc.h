// NVRTC, made of hipRTC's functions: what a program asks for as PTX or as cubin is the one code that nvrtcGetCode gives
// (which NVIDIA's NVRTC lacks).
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <cuda_runtime.h>

typedef enum {
#define __LP_RTC_WORD(name) NVRTC_##name
#include <launchpath/api/rtc/rtc_results.h>
#undef __LP_RTC_WORD
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12
} nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram;

#ifdef __LP_CALLS__
#define __LP_RTC(name) nvrtc##name
#define __LP_CALL(name) extern "C" nvrtcResult nvrtc##name
#define __LP_CALL_TEXT(name) extern "C" const char *nvrtc##name
#include <launchpath/api/rtc/rtc_functions.h>
#undef __LP_RTC
#undef __LP_CALL
#undef __LP_CALL_TEXT

extern "C" {
inline nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *size) { return nvrtcGetCodeSize(prog, size); }
inline nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx) { return nvrtcGetCode(prog, ptx); }
inline nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *size) { return nvrtcGetCodeSize(prog, size); }
inline nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin) { return nvrtcGetCode(prog, cubin); }
}
#endif
}
