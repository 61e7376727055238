"""Kernels beside the host code that HIP and CUDA programs have: launches, classes, and the runtime's types."""

import numpy as np
import pytest

import launchpath as lp

HOST_CODE = r"""
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
#define CHECK(call)                                                                              \
    do {                                                                                         \
        hipError_t status = (call);                                                              \
        if (status != hipSuccess) {                                                              \
            std::cerr << __FILE__ << ":" << __LINE__ << " " << hipGetErrorString(status) << std::endl; \
            exit(EXIT_FAILURE);                                                                  \
        }                                                                                        \
    } while (0)
template <typename T, int N> __global__ void scale(T factor, T* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= factor * N;
}
__constant__ float weights[4];
__device__ int counter;
__global__ void count(const float* x) { atomicAdd(&counter, (int)(x[threadIdx.x] * weights[0])); }
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
    const char* what() const noexcept override { return "failed"; }
};
template <typename T> class Buffer {
    T* at_ = nullptr;
public:
    explicit Buffer(size_t n) { CHECK(hipMalloc(&at_, n * sizeof(T))); }
    ~Buffer() { hipFree(at_); }
    operator T*() { return at_; }
};
template <typename T> double time_of(int n, int repeat) {
    Buffer<T> x(n);
    std::vector<T> host(n, T(1));
    CHECK(hipMemcpy(x, host.data(), n * sizeof(T), hipMemcpyHostToDevice));
    hipEvent_t start, stop;
    hipStream_t stream;
    CHECK(hipEventCreate(&start));
    CHECK(hipEventCreateWithFlags(&stop, hipEventDisableTiming));
    CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    auto before = std::chrono::high_resolution_clock::now();
    CHECK(hipEventRecord(start, stream));
    for (int i = 0; i < repeat; ++i) LAUNCH
    CHECK(hipEventRecord(stop, stream));
    CHECK(hipEventSynchronize(stop));
    float ms = 0;
    CHECK(hipEventElapsedTime(&ms, start, stop));
    return std::chrono::duration<double>(std::chrono::high_resolution_clock::now() - before).count() + ms;
}
int main(int argc, char** argv) {
    hipDeviceProp_t properties;
    CHECK(hipGetDeviceProperties(&properties, 0));
    printf("%s: %d x %zu\n", properties.name, properties.multiProcessorCount, properties.totalGlobalMem);
    float values[4] = {1, 2, 3, 4};
    CHECK(hipMemcpyToSymbol(SYMBOL(weights), values, sizeof(values)));
    int blocks = 0, threads = 0, counted = 0;
    CHECK(hipOccupancyMaxPotentialBlockSize(&blocks, &threads, count, 0, 0));
    std::cout << time_of<float>(1 << 20, 10) << time_of<double>(1 << 20, 10) << std::endl;
    try {
        if (argc > 9) throw Failure("x");
    } catch (const std::exception& error) {
        std::cerr << error.what();
    }
    CHECK(hipMemcpyFromSymbol(&counted, SYMBOL(counter), sizeof(int)));
    CHECK(hipDeviceSynchronize());
    return 0;
}
"""
LAUNCHES = {
    "hip, chevrons": "scale<T, 3><<<dim3((n + 255) / 256), dim3(256), 0, stream>>>(T(2), x, n);",
    "hip, macro": "hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<T, 3>), (n + 255) / 256, 256, 0, stream, T(2), (T*)x, n);",
    "cuda, chevrons": "scale<T, 3><<<(n + 255) / 256, 256, 0, stream>>>(T(2), x, n);",
    "cuda, function": "{ void* at[1]; CHECK(hipLaunchKernel((void*)scale<T, 3>, dim3(1), dim3(1), at, 0, stream)); }",
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("launch", LAUNCHES)
def test_templates_are_compiled_as_a_program_launches_them(device, launch, tmp_path):
    text = HOST_CODE.replace("LAUNCH", LAUNCHES[launch]).replace("SYMBOL", "HIP_SYMBOL")
    if launch.startswith("cuda"):
        file = tmp_path / "program.cu"
        text = text.replace("HIP_SYMBOL", "").replace("hipDeviceProp_t", "cudaDeviceProp").replace("hip", "cuda")
        text = "#include <cuda_runtime.h>\n" + text
    else:
        file = tmp_path / "program.hip"
        text = "#include <hip/hip_runtime.h>\n" + text
    file.write_text(text)
    program = lp.compile(path=file, device=device)
    for name, dtype in (("scale<float, 3>", "float32"), ("scale<double, 3>", "float64")):
        x = lp.asarray(np.arange(100), dtype, device)
        program[name][1, 128](2, x, 100)
        assert (x.to_numpy() == np.arange(100) * 6).all()
    assert not program.log


def test_types_of_the_runtime_may_stand_in_what_kernels_use(device):
    program = lp.compile("""
        struct Context {
            cudaStream_t stream;
            cudaEvent_t event;
            cudaTextureObject_t texture;
            cudaError_t status;
            int* at;
        };
        __global__ void k(Context* at) { at->at[threadIdx.x] = threadIdx.x + (at->status == cudaSuccess); }
        __global__ void size(int* out) { *out = sizeof(Context); }
        int main() { cudaDeviceSynchronize(); }
        """, device, name="types.cu")  # fmt: skip
    out = lp.zeros(1, "int32", device)
    program.size[1, 1](out)
    assert out.to_numpy()[0] == 40


def test_a_parameter_whose_class_has_friends_for_streams(device):
    source = """
    #include <ostream>
    #include <sstream>
    template <typename T> class Both {
    public:
        __host__ __device__ Both(T first, T second) : first(first), second(second) {}
        friend auto& operator<<(std::ostream& out, const Both& both) {
            std::stringstream text;
            text << both.first << both.second;
            return out << text.str();
        }
        friend std::ostream& print(std::ostream& out, const Both& both);
        template <class U> friend std::ostream& show(std::ostream& out, const U& x) { return out << x; }
        friend __host__ __device__ T sum(const Both& both) { return both.first + both.second; }
    private:
        T first, second;
    };
    template <typename T> __global__ void k(float* x, Both<T> both) { x[0] = sum(both); }
    void launch(float* x) { k<<<1, 1>>>(x, Both<float>(1, 2)); }
    """
    x = lp.asarray(np.zeros(1, "float32"), device=device)
    lp.compile(source, device)["k<float>"][1, 1](x, np.array([1.5, 2], "float32").tobytes())
    assert x.to_numpy()[0] == 3.5
