// The kernels that a driver sees unpack a launch's bytes and call the user's functions by these; they are generated
// after the source, whose macros these names must not meet.
#pragma once
#include <launchpath/signature.h>

template <class T> struct __lp_argument {
  static inline __attribute__((device)) T load(const unsigned char *at) { return *reinterpret_cast<const T *>(at); }
};
// By way of the global address space: a compiler then knows where the generic pointer points.
template <class T> struct __lp_argument<T *> {
  static inline __attribute__((device)) T *load(const unsigned char *at) {
    return (T *)(__attribute__((address_space(1))) T *)*reinterpret_cast<const unsigned long *>(at);
  }
};
template <class T> struct __lp_argument<T *const> : __lp_argument<T *> {};
// As CUDA has it for managed memory: what is given is the address.
template <class T> struct __lp_argument<T &> {
  static inline __attribute__((device)) T &load(const unsigned char *at) { return *__lp_argument<T *>::load(at); }
};

// A block that is too large to come by value: nothing else points to it, and no kernel writes to it. A function that
// takes its parameters by value has copies of its own. Copies that are only read can be left out
// (spirv/runtime/argument_block.py), but only where nothing is called with them, so all of the kernel is to be inlined.
#define __LP_BLOCK(_Align)                                                                                             \
  const __attribute__((address_space(1))) unsigned char *__restrict__ __attribute__((align_value(_Align)))

// A launch copies the bytes of its arguments. C++ passes a class with a copy constructor or a destructor of its own by
// address. So these bytes' address is passed, and no kernel calls either.
template <class T, bool = __is_trivially_relocatable(T)> struct __lp_passed : __lp_argument<T> {
  typedef T __type;
};
template <class T> struct __lp_passed<T &, false> : __lp_argument<T &> {
  typedef T &__type;
};
template <class T> struct __lp_passed<T, false> {
  typedef __attribute__((address_space(0))) T *__type;
  struct __copy {
    alignas(T) unsigned char bytes[sizeof(T)];
    inline __attribute__((device, always_inline)) operator __type() { return (__type)(T *)bytes; }
  };
  static inline __attribute__((device, always_inline)) __copy load(const unsigned char *at) {
    return *reinterpret_cast<const __copy *>(at);
  }
};

template <class F, F f> struct __lp_call_of;
template <class... A, void (*f)(A...)> struct __lp_call_of<void (*)(A...), f> {
  typedef void (*__passed)(typename __lp_passed<A>::__type...);
  template <unsigned... Offset> static inline __attribute__((device)) void __call(const unsigned char *bytes) {
    ((__passed)f)(__lp_passed<A>::load(bytes + Offset)...);
  }
  template <unsigned... Offset>
  static inline __attribute__((device, always_inline)) void __call_with_block(const unsigned char *bytes) {
    [[clang::always_inline]] ((__passed)f)(__lp_passed<A>::load(bytes + Offset)...);
  }
  template <unsigned N> using __type = typename __lp_parameter<N, void (*)(A...)>::__type;
};

#ifdef __cpp_noexcept_function_type
template <class... A, void (*f)(A...) noexcept>
struct __lp_call_of<void (*)(A...) noexcept, f> : __lp_call_of<void (*)(A...), f> {};
#endif

// Asking for it lays the parameters' types out.
template <class F> struct __lp_sizes_of;
template <class... A> struct __lp_sizes_of<void (*)(A...)> { enum : unsigned long { sum = (sizeof(A) + ... + 0) }; };
#ifdef __cpp_noexcept_function_type
template <class... A> struct __lp_sizes_of<void (*)(A...) noexcept> : __lp_sizes_of<void (*)(A...)> {};
#endif

// Makes an instance of the class template that a kernel's only parameter points to, which pointing to it does not.
template <class T, unsigned long = sizeof(T)> char __lp_completed(void (*)(T *));
char __lp_completed(...);

#define __LP_CALL_OF(...) __lp_call_of<decltype(__VA_ARGS__), __VA_ARGS__>
