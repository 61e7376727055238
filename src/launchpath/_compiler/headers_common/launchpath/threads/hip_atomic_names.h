// HIP's further names of atomic functions. Which of them may be unsafe is AMD's matter: here all are the same.
#pragma once
#include <launchpath/keywords.h>
#include <launchpath/types.h>

#define __LP_ATOMIC(name, own) \
  template <class _T> __LP_DEVICE _T name(_T *address, __lp::given<_T> value) { return own(address, value); }
__LP_ATOMIC(unsafeAtomicAdd, atomicAdd)
__LP_ATOMIC(unsafeAtomicMin, atomicMin)
__LP_ATOMIC(unsafeAtomicMax, atomicMax)
__LP_ATOMIC(safeAtomicAdd, atomicAdd)
__LP_ATOMIC(safeAtomicMin, atomicMin)
__LP_ATOMIC(safeAtomicMax, atomicMax)
#undef __LP_ATOMIC
template <class _T> __LP_DEVICE void atomicAddNoRet(_T *address, __lp::given<_T> value) { atomicAdd(address, value); }
