// ROCTX: ranges and marks.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <stdint.h>

typedef uint64_t roctx_range_id_t;
#ifdef __LP_NATIVE__  // nothing looks at them
#define __LP_MARK(type, name, parameters) \
  inline type name parameters { return type(); }
#else
#define __LP_MARK(type, name, parameters) type name parameters;
#endif
extern "C" {
__LP_MARK(int, roctxRangePushA, (const char *))
__LP_MARK(int, roctxRangePop, ())
__LP_MARK(roctx_range_id_t, roctxRangeStartA, (const char *))
__LP_MARK(void, roctxRangeStop, (roctx_range_id_t))
__LP_MARK(void, roctxMarkA, (const char *))
}
#undef __LP_MARK
#define roctxRangePush roctxRangePushA
#define roctxRangeStart roctxRangeStartA
#define roctxMark roctxMarkA
}
