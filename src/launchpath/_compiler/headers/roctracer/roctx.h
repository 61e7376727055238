// ROCTX: ranges and marks, as declarations.
#pragma once
extern "C++" {  // programs include it within extern "C", too
#include <stdint.h>

typedef uint64_t roctx_range_id_t;
extern "C" {
int roctxRangePushA(const char *);
int roctxRangePop(void);
roctx_range_id_t roctxRangeStartA(const char *);
void roctxRangeStop(roctx_range_id_t);
void roctxMarkA(const char *);
}
#define roctxRangePush roctxRangePushA
#define roctxRangeStart roctxRangeStartA
#define roctxMark roctxMarkA
}
