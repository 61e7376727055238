// C's assert.
#ifdef __CUDACC_RTC__
// NVRTC has it.
#ifdef NDEBUG
#undef assert
#define assert(condition) ((void)0)
#endif
#else
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                                                      \
  ((condition) ? (void)0                                                                                       \
               : (printf("%s:%d: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", __FILE__,     \
                         __LINE__, (unsigned)blockIdx.x, (unsigned)blockIdx.y, (unsigned)blockIdx.z,           \
                         (unsigned)threadIdx.x, (unsigned)threadIdx.y, (unsigned)threadIdx.z, #condition),     \
                  __builtin_trap()))
#endif
#endif
