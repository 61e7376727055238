// CUB's operators of plain values, in the namespace __LP_CUB. CUB itself has none of these any more, as of CUDA 13.
#pragma once

namespace __LP_CUB {
struct Sum {
  template <class _T, class _U> __LP_MEMBER auto operator()(const _T &a, const _U &b) const -> decltype(a + b) {
    return a + b;
  }
};
struct Difference {
  template <class _T, class _U> __LP_MEMBER auto operator()(const _T &a, const _U &b) const -> decltype(a - b) {
    return a - b;
  }
};
struct Division {
  template <class _T, class _U> __LP_MEMBER auto operator()(const _T &a, const _U &b) const -> decltype(a / b) {
    return a / b;
  }
};
struct Equality {
  template <class _T, class _U> __LP_MEMBER bool operator()(const _T &a, const _U &b) const { return a == b; }
};
struct Inequality {
  template <class _T, class _U> __LP_MEMBER bool operator()(const _T &a, const _U &b) const { return !(a == b); }
};
template <class _Op> struct InequalityWrapper {
  _Op op;
  __LP_MEMBER InequalityWrapper(_Op equality) : op(equality) {}
  template <class _T, class _U> __LP_MEMBER bool operator()(const _T &a, const _U &b) { return !op(a, b); }
};
struct Max {
  template <class _T, class _U>
  __LP_MEMBER auto operator()(const _T &a, const _U &b) const -> decltype(true ? _T(a) : _U(b)) {
    return a < b ? b : a;
  }
};
struct Min {
  template <class _T, class _U>
  __LP_MEMBER auto operator()(const _T &a, const _U &b) const -> decltype(true ? _T(a) : _U(b)) {
    return b < a ? b : a;
  }
};
}  // namespace __LP_CUB
