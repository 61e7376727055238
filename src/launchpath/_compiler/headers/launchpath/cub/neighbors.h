// BlockDiscontinuity and BlockAdjacentDifference: items and those beside them.
#pragma once
#include <launchpath/cub/thread.h>

namespace __LP_CUB {
template <class _T, int _X, int _Y = 1, int _Z = 1, int = 0> class BlockDiscontinuity {
  typedef __block<_X, _Y, _Z> __b;

 public:
  struct TempStorage {
    __items<_T, __b::__threads> __first, __last;
  };
  __LP_CUB_STORED(BlockDiscontinuity)

  // The first head and the last tail are flags anyway, unless a neighbor of the tile is there.
  template <int _N, class _F, class _Op>
  __LP_CUB_DEVICE void FlagHeads(_F (&heads)[_N], const _T (&in)[_N], _Op op) {
    __share(in);
    __heads<false>(heads, in, op, in[0]);
  }
  template <int _N, class _F, class _Op>
  __LP_CUB_DEVICE void FlagHeads(_F (&heads)[_N], const _T (&in)[_N], _Op op, _T predecessor) {
    __share(in);
    __heads<true>(heads, in, op, predecessor);
  }
  template <int _N, class _F, class _Op>
  __LP_CUB_DEVICE void FlagTails(_F (&tails)[_N], const _T (&in)[_N], _Op op) {
    __share(in);
    __tails<false>(tails, in, op, in[0]);
  }
  template <int _N, class _F, class _Op>
  __LP_CUB_DEVICE void FlagTails(_F (&tails)[_N], const _T (&in)[_N], _Op op, _T successor) {
    __share(in);
    __tails<true>(tails, in, op, successor);
  }
  template <int _N, class _F, class _Op>
  __LP_CUB_DEVICE void FlagHeadsAndTails(_F (&heads)[_N], _F (&tails)[_N], const _T (&in)[_N], _Op op) {
    __share(in);
    __heads<false>(heads, in, op, in[0]);
    __tails<false>(tails, in, op, in[0]);
  }
  template <int _N, class _F, class _Op>
  __LP_CUB_DEVICE void FlagHeadsAndTails(_F (&heads)[_N], _F (&tails)[_N], _T successor, const _T (&in)[_N], _Op op) {
    __share(in);
    __heads<false>(heads, in, op, in[0]);
    __tails<true>(tails, in, op, successor);
  }
  template <int _N, class _F, class _Op>
  __LP_CUB_DEVICE void FlagHeadsAndTails(_F (&heads)[_N], _T predecessor, _F (&tails)[_N], const _T (&in)[_N],
                                         _Op op) {
    __share(in);
    __heads<true>(heads, in, op, predecessor);
    __tails<false>(tails, in, op, in[0]);
  }
  template <int _N, class _F, class _Op>
  __LP_CUB_DEVICE void FlagHeadsAndTails(_F (&heads)[_N], _T predecessor, _F (&tails)[_N], _T successor,
                                         const _T (&in)[_N], _Op op) {
    __share(in);
    __heads<true>(heads, in, op, predecessor);
    __tails<true>(tails, in, op, successor);
  }

 private:
  template <int _N> __LP_CUB_DEVICE void __share(const _T (&in)[_N]) {
    int thread = __b::__rank();
    __storage.__first[thread] = in[0];
    __storage.__last[thread] = in[_N - 1];
    __syncthreads();
  }
  // An operator may take the index of the second item as well.
  template <class _Op> static __LP_CUB_DEVICE bool __flag(_Op &op, _T a, _T b, int index) {
    if constexpr (std::is_invocable_v<_Op &, _T &, _T &, int>)
      return op(a, b, index);
    else
      return op(a, b);
  }
  template <bool _Before, int _N, class _F, class _Op>
  __LP_CUB_DEVICE void __heads(_F (&heads)[_N], const _T (&in)[_N], _Op &op, const _T &before) {
    int thread = __b::__rank(), at = thread * _N;
    if (thread > 0)
      heads[0] = (_F)__flag(op, __storage.__last[thread - 1], in[0], at);
    else
      heads[0] = _Before ? (_F)__flag(op, before, in[0], at) : (_F)1;
    for (int i = 1; i < _N; ++i) heads[i] = (_F)__flag(op, in[i - 1], in[i], at + i);
  }
  template <bool _After, int _N, class _F, class _Op>
  __LP_CUB_DEVICE void __tails(_F (&tails)[_N], const _T (&in)[_N], _Op &op, const _T &after) {
    int thread = __b::__rank(), at = thread * _N;
    for (int i = 0; i < _N - 1; ++i) tails[i] = (_F)__flag(op, in[i], in[i + 1], at + i + 1);
    if (thread < __b::__threads - 1)
      tails[_N - 1] = (_F)__flag(op, in[_N - 1], __storage.__first[thread + 1], at + _N);
    else
      tails[_N - 1] = _After ? (_F)__flag(op, in[_N - 1], after, at + _N) : (_F)1;
  }
};

template <class _T, int _X, int _Y = 1, int _Z = 1, int = 0> class BlockAdjacentDifference {
  typedef __block<_X, _Y, _Z> __b;
  static constexpr int __every = 0x7fffffff;

 public:
  struct TempStorage {
    __items<_T, __b::__threads> __edges;
  };
  __LP_CUB_STORED(BlockAdjacentDifference)

  // An item without a neighbor is passed on.
  template <int _N, class _O, class _Op> __LP_CUB_DEVICE void SubtractLeft(_T (&in)[_N], _O (&out)[_N], _Op op) {
    __left<false>(in, out, op, __every, in[0]);
  }
  template <int _N, class _O, class _Op>
  __LP_CUB_DEVICE void SubtractLeft(_T (&in)[_N], _O (&out)[_N], _Op op, _T predecessor) {
    __left<true>(in, out, op, __every, predecessor);
  }
  template <int _N, class _O, class _Op>
  __LP_CUB_DEVICE void SubtractLeftPartialTile(_T (&in)[_N], _O (&out)[_N], _Op op, int valid) {
    __left<false>(in, out, op, valid, in[0]);
  }
  template <int _N, class _O, class _Op>
  __LP_CUB_DEVICE void SubtractLeftPartialTile(_T (&in)[_N], _O (&out)[_N], _Op op, int valid, _T predecessor) {
    __left<true>(in, out, op, valid, predecessor);
  }
  template <int _N, class _O, class _Op> __LP_CUB_DEVICE void SubtractRight(_T (&in)[_N], _O (&out)[_N], _Op op) {
    __right<false>(in, out, op, __b::__threads * _N, in[0]);
  }
  template <int _N, class _O, class _Op>
  __LP_CUB_DEVICE void SubtractRight(_T (&in)[_N], _O (&out)[_N], _Op op, _T successor) {
    __right<true>(in, out, op, __b::__threads * _N, successor);
  }
  template <int _N, class _O, class _Op>
  __LP_CUB_DEVICE void SubtractRightPartialTile(_T (&in)[_N], _O (&out)[_N], _Op op, int valid) {
    __right<false>(in, out, op, valid, in[0]);
  }

 private:
  // Outputs may be the inputs: each comes after those that read it.
  template <bool _Before, int _N, class _O, class _Op>
  __LP_CUB_DEVICE void __left(_T (&in)[_N], _O (&out)[_N], _Op &op, int valid, _T before) {
    int thread = __b::__rank(), at = thread * _N;
    __storage.__edges[thread] = in[_N - 1];
    __syncthreads();
    for (int i = _N - 1; i > 0; --i) {
      if (at + i < valid)
        out[i] = op(in[i], in[i - 1]);
      else
        out[i] = in[i];
    }
    if (thread > 0) before = __storage.__edges[thread - 1];
    if (at < valid && (_Before || thread > 0))
      out[0] = op(in[0], before);
    else
      out[0] = in[0];
  }
  template <bool _After, int _N, class _O, class _Op>
  __LP_CUB_DEVICE void __right(_T (&in)[_N], _O (&out)[_N], _Op &op, int valid, _T after) {
    int thread = __b::__rank(), at = thread * _N;
    __storage.__edges[thread] = in[0];
    __syncthreads();
    for (int i = 0; i < _N - 1; ++i) {
      if (at + i + 1 < valid)
        out[i] = op(in[i], in[i + 1]);
      else
        out[i] = in[i];
    }
    bool last = thread == __b::__threads - 1;
    if (!last) after = __storage.__edges[thread + 1];
    if (last ? _After : at + _N < valid)
      out[_N - 1] = op(in[_N - 1], after);
    else
      out[_N - 1] = in[_N - 1];
  }
};
}  // namespace __LP_CUB
