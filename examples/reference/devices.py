"""Examples of the reference: devices."""

import launchpath as lp

# %% launchpath.devices
for each in lp.devices():
    print(each.name, each.driver, each.architecture)

# %% launchpath.device
device = lp.device(0)  # by its index in `lp.devices()`
same = lp.device(device.driver)  # by words: "cuda", "opencl", "cpu", "pocl", "nvidia"

# %% launchpath.current_device
with device:
    assert lp.current_device() is device

# %% launchpath.skipped_devices
for name, reason in lp.skipped_devices():
    print(f"{name}: {reason}")

# %% launchpath.synchronize
lp.synchronize()  # waits for all work of the current device

# %% launchpath.Device
with device:  # the current device inside
    a = lp.zeros(10)
print(device.name, device.warp_size, device.max_threads_per_block, device.total_memory)

# %% launchpath.Device.can_access_peer, launchpath.Device.enable_peer
for other in lp.devices():
    if other is not device and device.can_access_peer(other):
        device.enable_peer(other)  # from now on its kernels take arrays of `other`

# %% launchpath.Device.memory_info
print(device.memory_info())  # bytes that are used, that wait, and that are free

# %% launchpath.Device.memory_report
print(device.memory_report())

# %% launchpath.Device.set_memory_limit
device.set_memory_limit(1 << 30)  # at most 1 GiB of the driver
device.set_memory_limit(None)

# %% launchpath.Device.synchronize
device.synchronize()

# %% launchpath.Device.trim_memory
del a
device.trim_memory()  # what is free goes back to the driver
