// NVTX: ranges and marks.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <stdint.h>

typedef uint64_t nvtxRangeId_t;
typedef struct __lp_nvtx_domain *nvtxDomainHandle_t;
typedef struct __lp_nvtx_string *nvtxStringHandle_t;
enum nvtxColorType_t { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB };
enum nvtxMessageType_t { NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII, NVTX_MESSAGE_TYPE_UNICODE };
enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
  NVTX_PAYLOAD_TYPE_INT64,
  NVTX_PAYLOAD_TYPE_DOUBLE
};
typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union { uint64_t ullValue; int64_t llValue; double dValue; } payload;
  int32_t messageType;
  union { const char *ascii; const wchar_t *unicode; } message;
} nvtxEventAttributes_t;
#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

#ifdef __LP_NATIVE__  // nothing looks at them
#define __LP_MARK(type, name, parameters) \
  inline type name parameters { return type(); }
#else
#define __LP_MARK(type, name, parameters) type name parameters;
#endif
extern "C" {
__LP_MARK(int, nvtxRangePushA, (const char *))
__LP_MARK(int, nvtxRangePushEx, (const nvtxEventAttributes_t *))
__LP_MARK(int, nvtxRangePop, ())
__LP_MARK(nvtxRangeId_t, nvtxRangeStartA, (const char *))
__LP_MARK(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t *))
__LP_MARK(void, nvtxRangeEnd, (nvtxRangeId_t))
__LP_MARK(void, nvtxMarkA, (const char *))
__LP_MARK(void, nvtxMarkEx, (const nvtxEventAttributes_t *))
__LP_MARK(void, nvtxNameOsThreadA, (uint32_t, const char *))
__LP_MARK(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *))
__LP_MARK(int, nvtxDomainRangePushEx, (nvtxDomainHandle_t, const nvtxEventAttributes_t *))
__LP_MARK(int, nvtxDomainRangePop, (nvtxDomainHandle_t))
}
#undef __LP_MARK
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxDomainCreate nvtxDomainCreateA
}
