// hipRTC: a source that is compiled while the program runs, its module, a function and a global.
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
#include <string>
#include <vector>
#include "check.h"
#define OK(call) CHECK((call) == hipSuccess)

static const char source[] = R"(
__device__ int offset = 5;
template <class T> __global__ void scale(T *at, T factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) at[i] = at[i] * factor + offset;
})";

int main() {
  hiprtcProgram program;
  CHECK(hiprtcCreateProgram(&program, source, "scale.hip", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
  CHECK(hiprtcAddNameExpression(program, "scale<float>") == HIPRTC_SUCCESS);
  const char *options[] = {"-O2"};
  CHECK(hiprtcCompileProgram(program, 1, options) == HIPRTC_SUCCESS);
  const char *lowered;
  CHECK(hiprtcGetLoweredName(program, "scale<float>", &lowered) == HIPRTC_SUCCESS);
  size_t size;
  CHECK(hiprtcGetCodeSize(program, &size) == HIPRTC_SUCCESS && size > 0);
  std::vector<char> code(size);
  CHECK(hiprtcGetCode(program, code.data()) == HIPRTC_SUCCESS);
  hipModule_t module;
  hipFunction_t function;
  OK(hipModuleLoadData(&module, code.data()));
  OK(hipModuleGetFunction(&function, module, lowered));
  float *at, host[4] = {1, 2, 3, 4}, factor = 10;
  int n = 4;
  OK(hipMalloc(&at, sizeof host));
  OK(hipMemcpy(at, host, sizeof host, hipMemcpyHostToDevice));
  void *arguments[] = {&at, &factor, &n};
  OK(hipModuleLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
  struct { float *at; float factor; int n; } packed{at, 2, 4};
  size_t packed_size = sizeof packed;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &packed_size,
                   HIP_LAUNCH_PARAM_END};
  OK(hipModuleLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, nullptr, nullptr, extra));
  OK(hipMemcpy(host, at, sizeof host, hipMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) CHECK(host[i] == ((i + 1) * 10 + 5) * 2 + 5);
  hipDeviceptr_t global;
  OK(hipModuleGetGlobal(&global, &size, module, "offset"));
  CHECK(size == sizeof(int));
  OK(hipModuleUnload(module));
  CHECK(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);
  CHECK(hiprtcCreateProgram(&program, "__global__ void k() { undeclared(); }", "bad", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
  CHECK(hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_ERROR_COMPILATION);
  CHECK(hiprtcGetProgramLogSize(program, &size) == HIPRTC_SUCCESS && size > 1);
  std::string log(size, 0);
  CHECK(hiprtcGetProgramLog(program, &log[0]) == HIPRTC_SUCCESS && log.find("undeclared") != std::string::npos);
  puts("PASS");
}
