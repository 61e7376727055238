"""Examples of the reference: C and C++."""

from pathlib import Path

import launchpath as lp

SOURCE = """
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}"""

# %% launchpath.register, launchpath.Registration, launchpath.Registration.unregister
registration = lp.register(SOURCE, {"my_saxpy": "saxpy"})  # C and C++ launch it as "my_saxpy"
assert registration.active
registration.unregister()

# %% launchpath.find_kernel
registration = lp.register(SOURCE)
kernel = lp.find_kernel("saxpy")
kernel[1, 32](2, lp.ones(32), lp.zeros(32), 32)

registration.unregister()

# %% launchpath.registered
with lp.register(SOURCE, {"my_saxpy": "saxpy"}):  # unregistered at the end
    assert lp.registered() == ["my_saxpy"]

# %% launchpath.get_include
assert (Path(lp.get_include()) / "launchpath.h").exists()  # cc -I and this folder

# %% launchpath.c_interface, launchpath.CInterface
interface = lp.c_interface()
print(interface.version, hex(interface.address))  # for `launchpath_use` of launchpath.h
