"""The programs: what each shows, its dialect, its text, and the kernels that it has."""

from typing import NamedTuple

CUDA, HIP = "#include <cuda_runtime.h>\n", "#include <hip/hip_runtime.h>\n"


class Program(NamedTuple):
    """A program.

    Attributes
    ----------
    text : str
    kernels : tuple of str
    not_for : str
        Why NVRTC's side does not take it; empty if it does.
    """

    text: str
    kernels: tuple[str, ...]
    not_for: str = ""


_CHECK = """
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { \\
  fprintf(stderr, "%s:%d: %s\\n", __FILE__, __LINE__, cudaGetErrorString(e)); exit(1); } } while (0)
"""
_MEMBER = "NVRTC takes no private kernels"
_CLOSURE = "NVRTC's side makes classes of lambdas, which these cannot be"

PROGRAMS = {
    "errors that are checked by a macro": Program(
        f"{CUDA}#include <cstdio>\n#include <cstdlib>\n{_CHECK}"
        """__global__ void scale(float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= a;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1024; float *x; CHECK(cudaMalloc(&x, n * sizeof(float)));
  scale<<<(n + 255) / 256, 256>>>(x, 2.f, n); CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize()); CHECK(cudaFree(x));
}""", ("scale",)),
    "a host class that owns memory": Program(
        f"""{HIP}#include <vector>
#include <stdexcept>
template <class T> class Buffer {{
  T *data_ = nullptr; size_t n_;
 public:
  explicit Buffer(size_t n) : n_(n) {{ if (hipMalloc(&data_, n * sizeof(T)) != hipSuccess) throw std::runtime_error("memory"); }}
  ~Buffer() {{ (void)hipFree(data_); }}
  T *get() const {{ return data_; }}
  std::vector<T> host() const {{ std::vector<T> v(n_); (void)hipMemcpy(v.data(), data_, n_ * sizeof(T), hipMemcpyDeviceToHost); return v; }}
}};
template <class T> __global__ void fill(T *x, T v, int n) {{ int i = threadIdx.x; if (i < n) x[i] = v; }}
int main() {{ Buffer<double> b(64); fill<<<1, 64>>>(b.get(), 3.0, 64); return b.host()[0] != 3; }}""",
        ("fill<double>",)),
    "a reduction of several block sizes": Program(
        f"""{CUDA}template <class T, unsigned N> __global__ void reduce(const T *in, T *out, int n) {{
  __shared__ T s[N]; unsigned t = threadIdx.x; s[t] = t < n ? in[t] : T(0); __syncthreads();
  for (unsigned k = N / 2; k; k >>= 1) {{ if (t < k) s[t] += s[t + k]; __syncthreads(); }}
  if (!t) out[blockIdx.x] = s[0];
}}
template <class T> void run(const T *in, T *out, int n, int threads) {{
  switch (threads) {{
    case 128: reduce<T, 128><<<1, 128>>>(in, out, n); break;
    case 256: reduce<T, 256><<<1, 256>>>(in, out, n); break;
  }}
}}
int main() {{ run<float>(nullptr, nullptr, 0, 128); }}""", ("reduce<float, 128>", "reduce<float, 256>")),
    "a table of kernels": Program(
        f"""{HIP}typedef void (*kernel_t)(int *, int);
__global__ void add(int *x, int n) {{ x[threadIdx.x] += n; }}
__global__ void sub(int *x, int n) {{ x[threadIdx.x] -= n; }}
static const kernel_t table[] = {{add, sub}};
int main() {{ for (kernel_t k : table) hipLaunchKernelGGL(k, dim3(1), dim3(64), 0, 0, (int *)nullptr, 3); }}""",
        ("add", "sub")),
    "a device lambda": Program(
        f"""{CUDA}template <class F> __global__ void each(int n, F f) {{ int i = threadIdx.x; if (i < n) f(i); }}
int main() {{ float *x = nullptr; float a = 2;
  each<<<1, 64>>>(64, [=] __device__ (int i) {{ x[i] *= a; }}); }}""", ("each<lambda_4>",)),
    "lambdas of templates, in namespaces": Program(
        f"""{HIP}namespace par {{
template <class F> __global__ void run(int n, F f) {{ int i = threadIdx.x; if (i < n) f(i); }}
template <class F> void loop(int n, F f) {{ run<<<1, 64>>>(n, f); }}
}}
template <class T> void axpy(int n, T a, const T *x, T *y) {{
  par::loop(n, [=] __device__ (int i) {{ y[i] += a * x[i]; }});
}}
int main() {{ axpy<float>(3, 1.f, nullptr, nullptr); axpy<double>(3, 1., nullptr, nullptr); }}""",
        ("par::run<lambda_7<float>>", "par::run<lambda_7<double>>")),
    "a lambda that copies the object around it": Program(
        f"""{CUDA}template <class F> __global__ void each(int n, F f) {{ int i = threadIdx.x; if (i < n) f(i); }}
struct Solver {{
  float *x; float dt; int n;
  void step() {{ each<<<1, 64>>>(n, [*this] __device__ (int i) {{ x[i] += dt; }}); }}
}};
int main() {{ Solver s{{nullptr, .1f, 3}}; s.step(); }}""", ("each<lambda_5>",), _CLOSURE),
    "a parameter pack": Program(
        f"""{CUDA}template <class... Ts> __global__ void sum(double *out, Ts... values) {{ *out = (0. + ... + values); }}
int main() {{ sum<<<1, 1>>>((double *)nullptr, 1, 2.f, 3.); }}""", ("sum<int, float, double>",)),
    "kernels of a class template": Program(
        f"""{HIP}namespace fem {{ template <class T, int D = 3> struct Element {{
  static __global__ void assemble(T *k, int n) {{ int i = threadIdx.x; if (i < n) k[i] = T(D); }}
}}; }}
int main() {{ fem::Element<float>::assemble<<<1, 64>>>(nullptr, 3); fem::Element<double, 2>::assemble<<<1, 64>>>(nullptr, 3); }}""",
        ("fem::Element<float>::assemble", "fem::Element<double, 2>::assemble")),
    "a private kernel": Program(
        f"""{HIP}class Field {{
  static __global__ void zero(float *x, int n) {{ int i = threadIdx.x; if (i < n) x[i] = 0; }}
 public:
  void clear() {{ zero<<<1, 64>>>(nullptr, 3); }}
}};
__global__ void other(float *x) {{ *x = 1; }}
int main() {{ Field().clear(); other<<<1, 1>>>(nullptr); }}""", ("Field::zero", "other"), _MEMBER),
    "a library that is not installed": Program(
        f"""{CUDA}#include <nowhere/solver.h>
#include <cstdio>
__global__ void residual(const float *a, float *r, int n) {{ int i = threadIdx.x; if (i < n) r[i] = 1 - a[i]; }}
int main() {{
  nowhere::Handle handle; nowhere::create(&handle); float *a = nowhere::allocate<float>(3), *r = nowhere::allocate<float>(3);
  residual<<<1, 64>>>(a, r, 3); printf("%s\\n", nowhere::status(handle));
}}""", ("residual",)),
    "launches beside what is unknown": Program(
        f"""{CUDA}#include <nowhere/timer.h>
template <class T> __global__ void copy(const T *a, T *b, int n) {{ int i = threadIdx.x; if (i < n) b[i] = a[i]; }}
int main() {{ Timer t; float *a = nullptr, *b = nullptr; int n = t.count(); copy<<<1, n>>>(a, b, 3); copy<int><<<1, 64>>>(0, 0, n); }}""",
        ("copy<float>", "copy<int>")),
    "constant and device variables": Program(
        f"""{CUDA}__constant__ float mask[9]; __device__ int counter; static __device__ float table[4][2] = {{{{1, 2}}}};
__global__ void blur(float *x) {{ x[threadIdx.x] *= mask[threadIdx.x % 9] + table[0][1]; atomicAdd(&counter, 1); }}
int main() {{ float h[9] = {{}}; cudaMemcpyToSymbol(mask, h, sizeof h); blur<<<1, 9>>>(nullptr); cudaMemcpyFromSymbol(h, counter, 4); }}""",
        ("blur",)),
    "shared memory of the launch": Program(
        f"""{HIP}__global__ void turn(int *d, int n) {{
  extern __shared__ int s[]; int t = threadIdx.x; s[t] = d[t]; __syncthreads(); d[t] = s[n - t - 1];
}}
int main() {{ turn<<<dim3(1), dim3(64), 64 * sizeof(int)>>>(nullptr, 64); }}""", ("turn",)),
    "streams and events": Program(
        f"""{CUDA}__global__ void work(float *x) {{ x[threadIdx.x] += 1; }}
int main() {{ cudaStream_t s[2]; cudaEvent_t e; cudaEventCreate(&e);
  for (auto &each : s) {{ cudaStreamCreate(&each); work<<<1, 64, 0, each>>>(nullptr); }}
  cudaEventRecord(e, s[0]); cudaStreamWaitEvent(s[1], e, 0); cudaStreamSynchronize(s[1]); }}""", ("work",)),
    "a launch by a pointer to arguments": Program(
        f"""{CUDA}template <class T> __global__ void add(T *x, T a) {{ x[threadIdx.x] += a; }}
int main() {{ float *x = nullptr, a = 3; void *args[] = {{&x, &a}};
  cudaLaunchKernel((const void *)add<float>, dim3(1), dim3(64), args, 0, nullptr); }}""", ("add<float>",)),
    "hipLaunchKernelGGL with a template": Program(
        f"""{HIP}template <class T, int N> __global__ void tile(T *x) {{ x[threadIdx.x] = N; }}
int main() {{ hipLaunchKernelGGL(HIP_KERNEL_NAME(tile<float, 16>), dim3(1), dim3(64), 0, 0, (float *)nullptr);
  hipLaunchKernelGGL((tile<int, 4>), 1, 64, 0, 0, nullptr); }}""", ("tile<float, 16>", "tile<int, 4>")),
    "both platforms by macros": Program(
        """#if defined(__HIP_PLATFORM_AMD__) || defined(__HIPCC__)
#include <hip/hip_runtime.h>
#define gpuMalloc hipMalloc
#else
#include <cuda_runtime.h>
#define gpuMalloc cudaMalloc
#endif
__global__ void one(int *x) { *x = 1; }
int main() { int *x; gpuMalloc(&x, 4); one<<<1, 1>>>(x); }""", ("one",)),
    "arguments in a struct": Program(
        f"""{CUDA}struct Params {{ float *x; int n; float2 scale; struct {{ int a, b; }} more; }};
__global__ void go(Params p) {{ int i = threadIdx.x; if (i < p.n) p.x[i] = p.scale.x * p.more.b; }}
int main() {{ Params p{{}}; go<<<1, 64>>>(p); }}""", ("go",)),
    "a class with a copy constructor": Program(
        f"""{CUDA}struct View {{ float *p; int n; View(float *p, int n) : p(p), n(n) {{}} View(const View &o) : p(o.p), n(o.n) {{}}
  ~View() {{}} __host__ __device__ float &operator[](int i) const {{ return p[i]; }} }};
__global__ void go(View v, float a) {{ int i = threadIdx.x; if (i < v.n) v[i] *= a; }}
int main() {{ View v(nullptr, 3); go<<<1, 64>>>(v, 2.f); }}""", ("go",)),
    "overloaded kernels": Program(
        f"""{HIP}__global__ void scale(float *x, int n) {{ x[threadIdx.x] *= n; }}
__global__ void scale(double *x, int n) {{ x[threadIdx.x] *= n; }}
int main() {{ scale<<<1, 64>>>((float *)nullptr, 3); scale<<<1, 64>>>((double *)nullptr, 3); }}""",
        ("scale(float *, int)", "scale(double *, int)")),
    "enumerations and constants in templates": Program(
        f"""{CUDA}enum class Mode {{ Fast, Exact }}; enum Kind {{ A, B }}; constexpr int width = 4 * 2;
template <Mode M, Kind K, int N, bool Last> __global__ void go(int *x) {{ *x = int(M) + int(K) + N + Last; }}
int main() {{ go<Mode::Exact, B, width, true><<<1, 1>>>(nullptr); }}""", ("go<Mode::Exact, B, 8, true>",)),
    "a functor local to a function": Program(
        f"""{CUDA}template <class F> __global__ void each(int n, F f) {{ int i = threadIdx.x; if (i < n) f(i); }}
int main() {{ struct Twice {{ int *p; __device__ void operator()(int i) const {{ p[i] *= 2; }} }};
  each<<<1, 64>>>(3, Twice{{nullptr}}); }}""", ("each<Twice>",)),
    "warps and atomics": Program(
        f"""{CUDA}__global__ void count(const int *x, int *out, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x; int v = i < n ? x[i] > 0 : 0;
  v = __reduce_add_sync(0xffffffffu, v) + 0 * __popc(__ballot_sync(0xffffffffu, v));
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}}
int main() {{ count<<<1, 64>>>(nullptr, nullptr, 3); }}""", ("count",), "PoCL has no warps"),
    "CUDA's random numbers": Program(
        f"""{CUDA}#include <curand_kernel.h>
__global__ void setup(curandState *s, unsigned long seed) {{ curand_init(seed, threadIdx.x, 0, &s[threadIdx.x]); }}
__global__ void draw(curandState *s, float *x) {{ x[threadIdx.x] = curand_uniform(&s[threadIdx.x]); }}
int main() {{ curandState *s; cudaMalloc(&s, 64 * sizeof *s); setup<<<1, 64>>>(s, 5); draw<<<1, 64>>>(s, nullptr); }}""",
        ("setup", "draw"), "cuRAND's headers may not be installed"),
    "cooperative groups": Program(
        f"""{CUDA}#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void go(int *x) {{ auto block = cg::this_thread_block(); x[block.thread_rank()] = block.size(); block.sync(); }}
int main() {{ go<<<1, 64>>>(nullptr); }}""", ("go",)),
    "a kernel by a macro": Program(
        f"""{HIP}#define KERNEL(name, op) __global__ void name##_kernel(float *x, float a) {{ x[threadIdx.x] = x[threadIdx.x] op a; }}
KERNEL(add, +) KERNEL(mul, *)
#define LAUNCH(name) hipLaunchKernelGGL(name##_kernel, 1, 64, 0, 0, nullptr, 2.f)
int main() {{ LAUNCH(add); LAUNCH(mul); }}""", ("add_kernel", "mul_kernel")),
    "an instance that is written out": Program(
        f"""{CUDA}template <class T> __global__ void fill(T *x, T v) {{ x[threadIdx.x] = v; }}
template __global__ void fill<float>(float *, float);
template <> __global__ void fill<int>(int *x, int v) {{ x[threadIdx.x] = v + 1; }}
int main() {{ fill<<<1, 64>>>((int *)nullptr, 3); fill<float><<<1, 64>>>(nullptr, 3.f); }}""", ("fill<int>", "fill<float>")),
    "host code that does not compile here": Program(
        f"""{CUDA}#include <string>
static int arguments(int argc, char **argv) {{ po::options_description all("options"); return all.parse(argc, argv); }}
__global__ void go(int *x) {{ *x = 3; }}
int main(int argc, char **argv) {{ std::string s = boost::lexical_cast<std::string>(arguments(argc, argv)); go<<<1, 1>>>(nullptr); }}""",
        ("go",)),
    "a graph that is captured": Program(
        f"""{CUDA}__global__ void step(float *x) {{ x[threadIdx.x] *= 1.5f; }}
int main() {{ cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t e;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); for (int i = 0; i < 9; i++) step<<<1, 64, 0, s>>>(nullptr);
  cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, nullptr, nullptr, 0); cudaGraphLaunch(e, s); }}""", ("step",)),
}  # fmt: skip
