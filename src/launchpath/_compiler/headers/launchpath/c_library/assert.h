// assert: prints the failure in CUDA's form, and ends the thread.
#undef assert
#define assert(...) __LP_ASSERT_IF(NDEBUG)((__VA_ARGS__), #__VA_ARGS__)

#ifndef __LP_ASSERT_IF
// By what NDEBUG is at each use: itself if it is no macro. (The C library's header looks at it when it is included.)
#define __LP_ASSERT_IF(state) __LP_ASSERT_IF_(state)
#define __LP_ASSERT_IF_(state) __LP_ASSERT_##state
#define __LP_ASSERT_NDEBUG(condition, text) \
  ((void)(__builtin_expect(!!condition, 1) || (__assert_fail(text, __FILE__, __LINE__, __PRETTY_FUNCTION__), 0)))
#define __LP_ASSERT_(condition, text) ((void)0)
#define __LP_ASSERT_0(condition, text) ((void)0)
#define __LP_ASSERT_1(condition, text) ((void)0)
#include <launchpath/threads/index.h>
#include <launchpath/c_library/printf.h>

// SPIR-V kernels have no way to end but their own return, which the compile may put in place of this call where the call
// is inlined. Without that the thread goes on, as it does here.
#ifdef __LP_END_THREAD__
extern "C" __device__ __attribute__((noreturn, nothrow)) void __lp_end_thread();
#else
__LP_DEVICE void __lp_end_thread() {}
#endif

// Under the name that the C library's assert calls on the host.
extern "C" inline __attribute__((device, always_inline)) void __assert_fail(const char *condition, const char *file,
                                                                           int line, const char *function) {
  printf("%s:%d: %s: block: [%d,%d,%d], thread: [%d,%d,%d] Assertion `%s` failed.\n", file, line, function,
         (int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, (int)threadIdx.x, (int)threadIdx.y, (int)threadIdx.z,
         condition);
  __lp_end_thread();
}
__LP_DEVICE void __trap() { __lp_end_thread(); }
__LP_DEVICE void __brkpt() {}
#endif
