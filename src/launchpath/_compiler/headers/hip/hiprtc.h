// hipRTC.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <hip/hip_runtime.h>

typedef enum hiprtcResult {
#define __LP_RTC_WORD(name) HIPRTC_##name
#include <launchpath/api/rtc_results.h>
#undef __LP_RTC_WORD
  HIPRTC_ERROR_LINKING = 100
} hiprtcResult;
typedef struct _hiprtcProgram *hiprtcProgram;
typedef struct ihiprtcLinkState *hiprtcLinkState;

#ifdef __LP_CALLS__
typedef hipJitOption hiprtcJIT_option;
typedef hipJitInputType hiprtcJITInputType;
#define __LP_RTC(name) hiprtc##name
#define __LP_CALL(name) extern "C" hiprtcResult hiprtc##name
#define __LP_CALL_TEXT(name) extern "C" const char *hiprtc##name
#include <launchpath/api/rtc_functions.h>
#undef __LP_RTC
#undef __LP_CALL
#undef __LP_CALL_TEXT
#endif
}
