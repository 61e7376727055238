"""Names of glibc's headers, which musl's lack: programs for hipcc and nvcc have them without a thought."""

import math

import numpy as np
import pytest

import launchpath as lp

pytestmark = pytest.mark.opencl_only("NVRTC has no C library")

TYPES = {
    1: "u_char u_int8_t __u_char __int8_t __uint8_t __int_least8_t",
    2: "u_short u_int16_t __u_short __int16_t __uint16_t ushort",
    4: "u_int u_int32_t __u_int __int32_t __uint32_t uint daddr_t key_t mode_t uid_t gid_t useconds_t __pid_t",
    8: "u_long u_int64_t __u_long __int64_t __uint64_t ulong register_t loff_t off64_t ino64_t quad_t u_quad_t __quad_t "
    "__intmax_t __off_t __off64_t __ssize_t __time_t caddr_t suseconds_t",
}
HEADERS = "sys/types.h fcntl.h stddef.h cstddef unistd.h sys/user.h sys/reg.h stdint.h stdlib.h math.h"
EVERY = "".join(f"#include <{name}>\n" for name in HEADERS.split())


@pytest.mark.sample(3)
@pytest.mark.parametrize("header", ["hip/hip_runtime.h", "cuda_runtime.h", "sys/types.h"])
@pytest.mark.parametrize("more", ["", EVERY], ids=["alone", "beside"])
def test_names(device, header, more):
    checks = "".join(
        f'static_assert(sizeof({name}) == {size}, "{name}"); '
        for size, names in TYPES.items()
        for name in names.split()
    )
    source = f"""#include <{header}>
        {more}
        struct alignas(max_align_t) Most {{ int a; }};
        __global__ void k(double *d, float *f) {{
            {checks}
            static_assert(__WORDSIZE == 64 && alignof(Most) >= 8 && sizeof(M_PIf32) == 4, "");
            f[0] = M_PIf32; f[1] = M_SQRT1_2f32;
            d[0] = M_PIl; d[1] = M_LN2f64; d[2] = M_2_SQRTPIl;
        }}"""
    d, f = lp.zeros(3, "float64", device=device), lp.zeros(2, "float32", device=device)
    lp.compile(source, device)["k"][1, 1](d, f)
    assert d.to_numpy().tolist() == [math.pi, math.log(2), 2 / math.sqrt(math.pi)]
    assert f.to_numpy().tolist() == [np.float32(math.pi), np.float32(math.sqrt(0.5))]
