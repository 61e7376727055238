# cython: language_level=3, initializedcheck=False, cdivision=True, embedsignature=True
"""The hot path: one compiled extension put together from one file per noun. No policy, no I/O."""

include "driver.pxi"

include "shared_library.pxi"

include "opencl/library.pxi"
include "opencl/errors.pxi"
include "opencl/device.pxi"
include "opencl/queue.pxi"
include "opencl/event.pxi"
include "opencl/memory.pxi"
include "opencl/timing.pxi"
include "opencl/program.pxi"
include "opencl/kernel.pxi"
include "opencl/discovery.pxi"
include "opencl/table.pxi"

include "gpu/library.pxi"
include "gpu/errors.pxi"
include "gpu/device.pxi"
include "gpu/unheld.pxi"
include "gpu/stream.pxi"
include "gpu/event.pxi"
include "gpu/user_event.pxi"
include "gpu/callback.pxi"
include "gpu/queue.pxi"
include "gpu/graph.pxi"
include "gpu/memory.pxi"
include "gpu/timing.pxi"
include "gpu/program.pxi"
include "gpu/kernel.pxi"
include "gpu/discovery.pxi"
include "gpu/table.pxi"

include "simulated/state.pxi"
include "simulated/happens_before.pxi"
include "simulated/report.pxi"
include "simulated/faults.pxi"
include "simulated/event.pxi"
include "simulated/memory.pxi"
include "simulated/access.pxi"
include "simulated/queue.pxi"
include "simulated/command.pxi"
include "simulated/kernel.pxi"
include "simulated/program.pxi"
include "simulated/schedule.pxi"
include "simulated/table.pxi"
include "simulated/history.pxi"
include "simulated/machine.pxi"
include "simulated/device.pxi"

include "build.pxi"

cdef class DriverKernel
cdef class DriverProgram
cdef class DeviceBase
cdef class QueueBase
cdef class FollowerBase
cdef class LeftCopy
cdef class Pool
cdef class KernelBase
cdef class Launcher
cdef class Block

include "assertion.pxi"
include "clock.pxi"
include "block_counts.pxi"
include "runtime.pxi"
include "layers/layer.pxi"
include "registered.pxi"
include "queue.pxi"
include "mark.pxi"
include "order.pxi"
include "point.pxi"
include "snapshot.pxi"
include "completion.pxi"
include "depth.pxi"
include "bridge.pxi"
include "failure.pxi"
include "unheld.pxi"
include "hold.pxi"
include "host_function.pxi"
include "wait.pxi"
include "submit.pxi"
include "graph.pxi"
include "allocation.pxi"
include "memory.pxi"
include "device.pxi"
include "program.pxi"
include "stream.pxi"
include "loan.pxi"
include "current.pxi"
include "array.pxi"
include "signature.pxi"
include "dlpack.pxi"
include "staged.pxi"
include "tensor.pxi"
include "foreign.pxi"
include "packing.pxi"
include "block.pxi"
include "kernel.pxi"
include "launcher.pxi"
include "baselines/opencl.pxi"
include "baselines/gpu.pxi"
include "baselines/block.pxi"
include "fork.pxi"
include "layers/forked.pxi"
include "layers/log.pxi"
include "layers/log_programs.pxi"
include "layers/log_times.pxi"
include "layers/times.pxi"
include "sealed.pxi"
include "listed.pxi"

# What Python names of the above.
LEGACY, BLOCKING, NONBLOCKING = QUEUE_LEGACY, QUEUE_BLOCKING, QUEUE_NONBLOCKING
DEVICE, PINNED = MEMORY_DEVICE, MEMORY_HOST
