"""tvm-ffi as a peer: its launcher of cubins, in C++ that is written for each kernel."""

from __future__ import annotations

import ctypes
import os
import tempfile
from importlib.util import find_spec
from pathlib import Path

from launchpath._bench.kernels import ARGUMENTS, INTS, POINTERS, Kernels, looped
from launchpath._bench.measure import Loop
from launchpath._bench.native import shared_library
from launchpath._bench.peer import Missing, Peer

# Its header can launch by the runtime's or the driver's call, of which the driver's is the shorter way.
_BEGIN = """
#define TVM_FFI_CUBIN_LAUNCHER_USE_DRIVER_API 1
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/cuda/cubin_launcher.h>
#include <tvm/ffi/function.h>

static const unsigned char image[] = {%s};
TVM_FFI_EMBED_CUBIN_FROM_BYTES(launchpath, image);
"""
_LAUNCH = """
static void launch%(count)d_(%(parameters)s) {
  static auto kernel = TVM_FFI_EMBED_CUBIN_GET_KERNEL(launchpath, "%(entry)s");
  %(locals)s
  void *args[] = {%(addresses)s};
  auto stream = static_cast<CUstream>(TVMFFIEnvGetStream(kDLCUDA, %(ordinal)s));
  TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(kernel.Launch(args, tvm::ffi::dim3(1), tvm::ffi::dim3(1), stream));
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(launch%(count)d, launch%(count)d_);
"""


class TvmFfi(Peer):
    """``launch(*arguments)``, with its tensors and ints; needs a C++ compiler, and CUDA's headers with `crt`."""

    subject, package = "tvm-ffi", "apache-tvm-ffi"

    def __init__(self, kernels: Kernels) -> None:
        import tvm_ffi  # noqa: PLC0415
        from tvm_ffi import libinfo  # noqa: PLC0415

        self.version = tvm_ffi.__version__
        includes = [f"-I{each}" for each in (*libinfo.include_paths(), _cuda_headers())]
        ctypes.CDLL("libcuda.so.1", ctypes.RTLD_GLOBAL)  # what is compiled takes the driver's functions from there
        with tempfile.TemporaryDirectory(prefix="launchpath-bench-") as folder:
            self.module = tvm_ffi.load_module(str(shared_library(source(kernels), "C++", Path(folder), includes)))
        self.tensors = [tvm_ffi.from_dlpack(array) for array in kernels.arrays]

    def loop(self, arguments: int) -> Loop:
        launch = self.module.get_function(f"launch{arguments}")
        return looped("launch({})", arguments, self.tensors, names={"launch": launch})


def source(kernels: Kernels) -> str:
    """Write the launcher of each kernel."""
    text = _BEGIN % ",".join(map(str, kernels.image.code + b"\0"))
    for count in ARGUMENTS:
        pointers, ints = POINTERS[: count // 2], INTS[: count // 2]
        parameters = [f"tvm::ffi::TensorView {name}" for name in pointers] + [f"int64_t {name}" for name in ints]
        values = [f"void *{name}_ = {name}.data_ptr();" for name in pointers]
        values += [f"int {name}_ = static_cast<int>({name});" for name in ints]
        text += _LAUNCH % {
            "count": count,
            "entry": kernels.entries[count],
            "parameters": ", ".join(parameters),
            "locals": " ".join(values),
            "addresses": ", ".join(f"&{name}_" for name in [*pointers, *ints]) or "nullptr",
            "ordinal": f"{pointers[0]}.device().device_id" if pointers else kernels.device.info["ordinal"],
        }
    return text


def _cuda_headers() -> Path:
    """Find CUDA's headers, those for the host's compiler among them: packages leave them out, but for Triton's."""
    places = [Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "include")]
    for package, folder in (("nvidia", "cu13/include"), ("triton", "backends/nvidia/include")):
        spec = find_spec(package)
        places += [Path(each, folder) for each in (spec.submodule_search_locations or ()) if spec] if spec else []
    for place in places:
        if (place / "cuda_runtime.h").is_file() and (place / "crt" / "host_config.h").is_file():
            return place
    raise Missing("there are no CUDA headers: `pip install nvidia-cuda-runtime nvidia-cuda-crt`")
