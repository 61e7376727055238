// The fourth way to change a graph's arguments, beside graph_updates.c: a node in front whose kernel changes them on the device.
//
//   nvcc -O2 -rdc=true -arch=native graph_device_updates.cu -lcudadevrt -o graph_device_updates && ./graph_device_updates
//
// Nodes are made updatable by the device; the kernel in front reads the new arguments from pinned memory, one thread for
// each changed node. Such a graph cannot be updated by the host, and is instantiated once.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

constexpr int STEPS = 32, ROUNDS = 25, MOST = 1000, KERNELS = 100;

#define CHECK(call) do { cudaError_t code_ = (call); if (code_ != cudaSuccess) { std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(code_)); return 1; } } while (0)

template <int I> __global__ void work(float *out, unsigned n, float a, unsigned b) {
    if (threadIdx.x < n) out[threadIdx.x] = a + (float)b + (1.0f + I);
}
struct change { cudaGraphDeviceNode_t node; unsigned value; };
struct changes { unsigned count; change list[MOST]; };

__global__ void apply(const changes *all) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < all->count) cudaGraphKernelNodeSetParam(all->list[i].node, 16, all->list[i].value);  // b is at byte 16
}
template <int... I> std::vector<void *> table(std::integer_sequence<int, I...>) { return {(void *)work<I>...}; }

static double median(std::vector<double> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; }
static double now() { return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

static int measure(const std::vector<void *> &kernels, float *memory, changes *pinned, cudaStream_t stream, int n, int changed) {
    cudaGraph_t graph; cudaGraphExec_t executable;
    std::vector<cudaGraphDeviceNode_t> device_nodes(n);
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t before;
    const changes *at = pinned;
    void *front_arguments[] = {&at};
    cudaKernelNodeParams front{}; front.func = (void *)apply; front.gridDim = dim3((MOST + 127) / 128 * (n > 100) + (n <= 100)); front.blockDim = dim3(128); front.kernelParams = front_arguments;
    CHECK(cudaGraphAddKernelNode(&before, graph, nullptr, 0, &front));
    for (int i = 0; i < n; i++) {
        float *out = memory + 256 * i; unsigned count = 256, b = 0; float a = 1;
        void *arguments[] = {&out, &count, &a, &b};
        cudaKernelNodeParams p{}; p.func = kernels[i % KERNELS]; p.gridDim = dim3(1); p.blockDim = dim3(256); p.kernelParams = arguments;
        cudaGraphNode_t node;
        CHECK(cudaGraphAddKernelNode(&node, graph, &before, 1, &p));
        cudaLaunchAttributeValue value{}; value.deviceUpdatableKernelNode.deviceUpdatable = 1;
        CHECK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value));
        CHECK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value));
        device_nodes[i] = value.deviceUpdatableKernelNode.devNode;
        before = node;
    }
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphUpload(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::vector<double> host, complete;
    unsigned turn = 1;
    for (int round = -3; round < ROUNDS; round++) {
        CHECK(cudaStreamSynchronize(stream));
        double began = now();
        for (int s = 0; s < STEPS; s++, turn++) {
            // One buffer is enough to see what it costs; a program needs one for each step in flight.
            pinned->count = changed;
            for (int i = 0; i < changed; i++) pinned->list[i] = {device_nodes[i], turn};
            CHECK(cudaGraphLaunch(executable, stream));
        }
        double submitted = now();
        CHECK(cudaStreamSynchronize(stream));
        if (round >= 0) host.push_back((submitted - began) / STEPS), complete.push_back((now() - began) / STEPS);
    }
    std::vector<float> got(256 * n);
    CHECK(cudaMemcpy(got.data(), memory, got.size() * 4, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < changed; i++) wrong += got[256 * i] != 1.0f + (float)(turn - 1) + 1.0f + i % KERNELS;
    std::printf("{\"kernels\": %d, \"changed\": %d, \"chains\": 1, \"way\": \"nodes that the device updates\", \"host_us\": %.2f, \"complete_us\": %.2f, \"wrong\": %d}\n",
                n, changed, median(host), median(complete), wrong);
    CHECK(cudaGraphExecDestroy(executable)); CHECK(cudaGraphDestroy(graph));
    return 0;
}

int main() {
    auto kernels = table(std::make_integer_sequence<int, KERNELS>{});
    float *memory; changes *pinned; cudaStream_t stream;
    CHECK(cudaMalloc(&memory, MOST * 1024)); CHECK(cudaMallocHost(&pinned, sizeof(changes))); CHECK(cudaStreamCreate(&stream));
    for (int n : {1, 10, 100, 1000})
        for (int changed : {0, 1, n / 10, n})
            if (!(changed == n / 10 && n < 100) && !(changed == 1 && n == 1))
                if (measure(kernels, memory, pinned, stream, n, changed)) return 1;
    return 0;
}
