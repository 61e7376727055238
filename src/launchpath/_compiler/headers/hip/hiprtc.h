// hipRTC.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <hip/hip_runtime.h>

typedef enum hiprtcResult {
#define __LP_RTC_WORD(name) HIPRTC_##name
#include <launchpath/api/rtc/rtc_results.h>
#undef __LP_RTC_WORD
  HIPRTC_ERROR_LINKING = 100
} hiprtcResult;
typedef struct _hiprtcProgram *hiprtcProgram;
typedef struct ihiprtcLinkState *hiprtcLinkState;

#ifdef __LP_CALLS__
typedef hipJitOption hiprtcJIT_option;
typedef hipJitInputType hiprtcJITInputType;
#define __LP_OPTION(name, of) static constexpr hipJitOption HIPRTC_JIT_##name = hipJitOption##of;
__LP_OPTION(MAX_REGISTERS, MaxRegisters)
__LP_OPTION(THREADS_PER_BLOCK, ThreadsPerBlock)
__LP_OPTION(WALL_TIME, WallTime)
__LP_OPTION(INFO_LOG_BUFFER, InfoLogBuffer)
__LP_OPTION(INFO_LOG_BUFFER_SIZE_BYTES, InfoLogBufferSizeBytes)
__LP_OPTION(ERROR_LOG_BUFFER, ErrorLogBuffer)
__LP_OPTION(ERROR_LOG_BUFFER_SIZE_BYTES, ErrorLogBufferSizeBytes)
__LP_OPTION(OPTIMIZATION_LEVEL, OptimizationLevel)
__LP_OPTION(TARGET_FROM_HIPCONTEXT, TargetFromContext)
__LP_OPTION(TARGET, Target)
__LP_OPTION(FALLBACK_STRATEGY, FallbackStrategy)
__LP_OPTION(GENERATE_DEBUG_INFO, GenerateDebugInfo)
__LP_OPTION(LOG_VERBOSE, LogVerbose)
__LP_OPTION(GENERATE_LINE_INFO, GenerateLineInfo)
__LP_OPTION(CACHE_MODE, CacheMode)
__LP_OPTION(NEW_SM3X_OPT, Sm3xOpt)
__LP_OPTION(FAST_COMPILE, FastCompile)
__LP_OPTION(NUM_OPTIONS, NumOptions)
__LP_OPTION(IR_TO_ISA_OPT_EXT, IRtoISAOptExt)
__LP_OPTION(IR_TO_ISA_OPT_COUNT_EXT, IRtoISAOptCountExt)
#undef __LP_OPTION
#define __LP_INPUT(name, of) static constexpr hipJitInputType HIPRTC_JIT_##name = hipJit##of;
__LP_INPUT(INPUT_CUBIN, InputCubin)
__LP_INPUT(INPUT_PTX, InputPtx)
__LP_INPUT(INPUT_FATBINARY, InputFatBinary)
__LP_INPUT(INPUT_OBJECT, InputObject)
__LP_INPUT(INPUT_LIBRARY, InputLibrary)
__LP_INPUT(INPUT_NVVM, InputNvvm)
__LP_INPUT(INPUT_LLVM_BITCODE, InputLLVMBitcode)
__LP_INPUT(INPUT_LLVM_BUNDLED_BITCODE, InputLLVMBundledBitcode)
__LP_INPUT(INPUT_LLVM_ARCHIVES_OF_BUNDLED_BITCODE, InputLLVMArchivesOfBundledBitcode)
__LP_INPUT(INPUT_SPIRV, InputSpirv)
#undef __LP_INPUT
#define __LP_RTC(name) hiprtc##name
#define __LP_CALL(name) extern "C" hiprtcResult hiprtc##name
#define __LP_CALL_TEXT(name) extern "C" const char *hiprtc##name
#include <launchpath/api/rtc/rtc_functions.h>
#include <launchpath/api/rtc/hiprtc_functions.h>
#undef __LP_RTC
#undef __LP_CALL
#undef __LP_CALL_TEXT
#endif
}
