// Launches of templates whose arguments are written in many ways: each is found, by the address of its stub.
#include <array>
#include <cstdint>
#include <cstdio>

enum E { A, B = 5, NEGATIVE = -3 };
enum class F : unsigned char { X = 1, Y = 200 };
namespace {
struct Local { int v; };
}  // namespace
namespace ns {
inline namespace v1 {
struct S {};
template <class T> struct W { T t; };
enum Z { z0, z1 };
}  // namespace v1
}  // namespace ns
struct Outer {
  struct In {};
  enum Mode { on, off };
};

__device__ int twice(int x) { return 2 * x; }
template <unsigned N> __global__ void of_unsigned(int *p) { *p += N; }
template <long N> __global__ void of_long(int *p) { *p += N; }
template <size_t N> __global__ void of_size(int *p) { *p += N; }
template <unsigned long long N> __global__ void of_large(int *p) { *p += (int)N; }
template <short N> __global__ void of_short(int *p) { *p += N; }
template <char C> __global__ void of_char(int *p) { *p += C; }
template <unsigned char C> __global__ void of_byte(int *p) { *p += C; }
template <bool C> __global__ void of_bool(int *p) { *p += C; }
template <E e> __global__ void of_enum(int *p) { *p += e; }
template <F e> __global__ void of_scoped(int *p) { *p += (int)e; }
template <class T> __global__ void of_type(int *p) { *p += sizeof(T); }
template <class... T> __global__ void of_pack(int *p) { *p += sizeof...(T); }
template <class T, class U = float, int N = 3> __global__ void of_defaults(int *p, U) { *p += N; }
template <template <class> class W> __global__ void of_template(int *p) { *p += sizeof(W<int>); }
template <int (*f)(int)> __global__ void of_function(int *p) { *p += f(1); }
template <auto N> __global__ void of_auto(int *p) { *p += N * sizeof N; }
template <Outer::Mode M> __global__ void of_mode(int *p) { *p += M; }
template <ns::Z M> __global__ void of_inline(int *p) { *p += M; }
template <class T, size_t N> __global__ void of_array(int *p, std::array<T, N>) { *p += N; }
template <class T> struct Inside {
  template <int N> __global__ static void kernel(int *p) { *p += N; }
};
template <int N> __global__ static void of_file(int *p) { *p += N; }

int *p;
bool is_right(const char *what, int expected) {
  int failure = cudaGetLastError();
  int later = cudaDeviceSynchronize();
  bool is_right = failure == 0 && later == 0 && *p == expected;
  if (!is_right) printf("%s: expected %d, got %d, error %d\n", what, expected, *p, failure);
  *p = 0;
  return is_right;
}
#define CHECK(expected, ...) \
  __VA_ARGS__;               \
  if (!is_right(#__VA_ARGS__, expected)) return 1

template <class T> int with(T) {
  CHECK(sizeof(T), of_type<T><<<1, 1>>>(p));
  return 0;
}

int main() {
  if (cudaMallocManaged(&p, sizeof *p) != cudaSuccess) return 1;
  *p = 0;
  CHECK(128, of_unsigned<128><<<1, 1>>>(p));
  CHECK(-7, of_long<-7><<<1, 1>>>(p));
  CHECK(9, of_size<9><<<1, 1>>>(p));
  CHECK(410065409, of_large<9000000001ull><<<1, 1>>>(p));
  CHECK(-3, of_short<-3><<<1, 1>>>(p));
  CHECK('a', of_char<'a'><<<1, 1>>>(p));
  CHECK('\n', of_char<'\n'><<<1, 1>>>(p));
  CHECK('\x90', of_char<'\x90'><<<1, 1>>>(p));
  CHECK(200, of_byte<200><<<1, 1>>>(p));
  CHECK(1, of_bool<true><<<1, 1>>>(p));
  CHECK(5, of_enum<B><<<1, 1>>>(p));
  CHECK(-3, of_enum<NEGATIVE><<<1, 1>>>(p));
  CHECK(3, of_enum<(E)3><<<1, 1>>>(p));
  CHECK(200, of_scoped<F::Y><<<1, 1>>>(p));
  CHECK(8, of_type<int64_t><<<1, 1>>>(p));
  CHECK(4, of_type<Local><<<1, 1>>>(p));
  CHECK(1, of_type<ns::W<ns::S>><<<1, 1>>>(p));
  CHECK(1, of_type<Outer::In><<<1, 1>>>(p));
  CHECK(16, of_type<std::array<float, 4>><<<1, 1>>>(p));
  CHECK(8, of_type<const float *><<<1, 1>>>(p));
  CHECK(12, of_type<int[3]><<<1, 1>>>(p));
  CHECK(4, of_type<volatile int><<<1, 1>>>(p));
  CHECK(sizeof(int Outer::*), of_type<int Outer::*><<<1, 1>>>(p));
  CHECK(2, of_pack<int, float><<<1, 1>>>(p));
  CHECK(3, of_defaults<int><<<1, 1>>>(p, 1.0f));
  CHECK(4, of_template<ns::W><<<1, 1>>>(p));
  CHECK(2, of_function<twice><<<1, 1>>>(p));
  CHECK(20, of_auto<5><<<1, 1>>>(p));
  CHECK(40, of_auto<5ul><<<1, 1>>>(p));
  CHECK(99, of_auto<'c'><<<1, 1>>>(p));
  CHECK(1, of_mode<Outer::off><<<1, 1>>>(p));
  CHECK(1, of_inline<ns::z1><<<1, 1>>>(p));
  CHECK(2, of_array<<<1, 1>>>(p, std::array<double, 2>{}));
  CHECK(4, Inside<float>::kernel<4><<<1, 1>>>(p));
  CHECK(3, of_file<3><<<1, 1>>>(p));
  if (with(1u) || with(ns::W<Local>{}) || with([](int x) { return x; }) || with(std::array<char, 7>{})) return 1;
  puts("PASS");
}
