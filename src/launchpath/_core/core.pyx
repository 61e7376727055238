# cython: language_level=3, initializedcheck=False, cdivision=True, embedsignature=True
"""The hot path: one compiled extension put together from one file per noun. No policy, no I/O."""

# A block for each folder. A function may use what stands further down. The fields of a struct, the base of a class and
# the types in a signature must stand above it: those that other folders name first are declared here.
cdef class DriverKernel
cdef class DriverProgram
cdef class DeviceBase
cdef class QueueBase
cdef class FollowerBase
cdef class LeftCopy
cdef class Pool
cdef class ArrayBase
cdef class KernelBase
cdef class TextureBase
cdef class Launcher
cdef class FastGrid
cdef class FastSubscript
cdef class Block
cdef struct lp_domain
cdef struct lp_queue
cdef struct lp_mark
cdef struct lp_heap

# python: what Cython lacks of Python. Tracebacks first: they replace macros of Cython's.
include "python/entry.pxi"
include "python/vectorcall.pxi"
include "python/boundary.pxi"

# base: what C lacks, and knows nothing of launches.
include "base/text.pxi"
include "base/lock.pxi"
include "base/thread.pxi"
include "base/assertion.pxi"

# driver: the table that a driver fills, and what Python has of a driver: devices, programs, kernels.
include "driver/command.pxi"
include "driver/dependence.pxi"
include "driver/table.pxi"
include "driver/failure.pxi"
include "driver/device.pxi"
include "driver/program.pxi"
include "driver/kernel.pxi"
include "driver/build.pxi"
include "driver/shared_library.pxi"

# driver/opencl: OpenCL, for CPU devices.
include "driver/opencl/library.pxi"
include "driver/opencl/errors.pxi"
include "driver/opencl/device.pxi"
include "driver/opencl/queue.pxi"
include "driver/opencl/event.pxi"
include "driver/opencl/memory.pxi"
include "driver/opencl/timing.pxi"
include "driver/opencl/program.pxi"
include "driver/opencl/kernel.pxi"
include "driver/opencl/command.pxi"
include "driver/opencl/discovery.pxi"
include "driver/opencl/table.pxi"

# driver/gpu: CUDA and HIP, which differ in names.
include "driver/gpu/library/functions.pxi"
include "driver/gpu/library/library.pxi"
include "driver/gpu/library/errors.pxi"
include "driver/gpu/device.pxi"
include "driver/gpu/queue/unheld.pxi"
include "driver/gpu/queue/stream.pxi"
include "driver/gpu/queue/event.pxi"
include "driver/gpu/queue/user_event.pxi"
include "driver/gpu/queue/callback.pxi"
include "driver/gpu/queue/queue.pxi"
include "driver/gpu/memory/memory.pxi"
include "driver/gpu/memory/texture.pxi"
include "driver/gpu/memory/peer.pxi"
include "driver/gpu/memory/rows.pxi"
include "driver/gpu/times/timing.pxi"
include "driver/gpu/times/cupti.pxi"
include "driver/gpu/program/program.pxi"
include "driver/gpu/program/kernel.pxi"
include "driver/gpu/queue/command.pxi"
include "driver/gpu/program/command_graph.pxi"
include "driver/gpu/program/graph.pxi"
include "driver/gpu/discovery.pxi"
include "driver/gpu/table.pxi"

# driver/simulated: a machine that tests steer, and that reports what is misused.
include "driver/simulated/noted.pxi"
include "driver/simulated/state.pxi"
include "driver/simulated/happens_before.pxi"
include "driver/simulated/report.pxi"
include "driver/simulated/faults.pxi"
include "driver/simulated/event.pxi"
include "driver/simulated/memory.pxi"
include "driver/simulated/access.pxi"
include "driver/simulated/dependence.pxi"
include "driver/simulated/queue.pxi"
include "driver/simulated/command.pxi"
include "driver/simulated/peer.pxi"
include "driver/simulated/kernel.pxi"
include "driver/simulated/program.pxi"
include "driver/simulated/schedule.pxi"
include "driver/simulated/table.pxi"
include "driver/simulated/history.pxi"
include "driver/simulated/machine.pxi"
include "driver/simulated/device.pxi"

# layers: tables over a driver's own, which see its calls. entries.pxi is built: see scripts/layers.py.
include "layers/layer.pxi"
include "layers/entries.pxi"
include "layers/log.pxi"
include "layers/times.pxi"
include "layers/bounds.pxi"
include "layers/writes.pxi"

# ordering: queues, what is submitted to them, the waits that it needs, and what is complete.
include "ordering/clock.pxi"
include "ordering/domain.pxi"
include "ordering/queue.pxi"
include "ordering/mark.pxi"
include "ordering/wait_list.pxi"
include "ordering/order.pxi"
include "ordering/point.pxi"
include "ordering/snapshot.pxi"
include "ordering/completion.pxi"
include "ordering/checkpoint.pxi"
include "ordering/depth.pxi"
include "ordering/bridge.pxi"
include "ordering/host_function.pxi"
include "ordering/submit.pxi"

# wait: what the host waits for, and what waits for the host.
include "wait/unheld.pxi"
include "wait/hold.pxi"
include "wait/own_hold.pxi"
include "wait/wait.pxi"
include "wait/watch.pxi"

# memory: the pool of a device, and who still uses what is in it.
include "memory/state.pxi"
include "memory/users.pxi"
include "memory/extent.pxi"
include "memory/line.pxi"
include "memory/lent.pxi"
include "memory/heap.pxi"
include "memory/segment.pxi"
include "memory/departed.pxi"
include "memory/allocation.pxi"
include "memory/awaited.pxi"
include "memory/pool.pxi"
include "memory/shortage.pxi"
include "memory/report.pxi"
include "memory/graph.pxi"
include "memory/loan.pxi"
include "memory/empty.pxi"

# arguments: what kernels are given, and how it is packed.
include "arguments/array.pxi"
include "arguments/signature.pxi"
include "arguments/dlpack.pxi"
include "arguments/staged.pxi"
include "arguments/tensor.pxi"
include "arguments/foreign.pxi"
include "arguments/texture.pxi"
include "arguments/packing.pxi"
include "arguments/members.pxi"
include "arguments/layout.pxi"
include "arguments/block_counts.pxi"
include "arguments/block.pxi"
include "arguments/slot.pxi"

# transfer: copies and fills.
include "transfer/copiers.pxi"
include "transfer/ring.pxi"
include "transfer/rows.pxi"
include "transfer/peer.pxi"
include "transfer/pinned.pxi"
include "transfer/upload.pxi"
include "transfer/download.pxi"
include "transfer/plain.pxi"
include "transfer/known.pxi"
include "transfer/fill.pxi"

# stream: devices, streams and events, as Python objects.
include "stream/device.pxi"
include "stream/stream.pxi"
include "stream/event.pxi"
include "stream/follower.pxi"
include "stream/current.pxi"

# launch: kernels, and the calls that launch them.
include "launch/kernel.pxi"
include "launch/local_memory.pxi"
include "launch/launcher.pxi"
include "launch/configuration.pxi"
include "launch/over.pxi"
include "launch/named.pxi"
include "launch/hip.pxi"

# fast: kernels of other libraries, launched in place of these.
include "fast/watch.pxi"
include "fast/fixed.pxi"
include "fast/rule.pxi"
include "fast/specialization.pxi"
include "fast/place.pxi"
include "fast/kernel.pxi"
include "fast/grid.pxi"
include "fast/numba.pxi"
include "fast/cupy.pxi"
include "fast/runner.pxi"

# step: commands that are kept, compared with those of the run before, and submitted together.
include "step/event.pxi"
include "step/state.pxi"
include "step/chain.pxi"
include "step/sequence.pxi"
include "step/recording.pxi"
include "step/submission.pxi"
include "step/layer.pxi"
include "step/observers.pxi"
include "step/step.pxi"
include "step/arguments.pxi"
include "step/graph.pxi"
include "step/executable.pxi"
include "step/capture.pxi"

# trace: records of what the process does, in a file.
include "trace/records.pxi"
include "trace/evidence.pxi"
include "trace/call.pxi"
include "trace/timed.pxi"
include "trace/profiled.pxi"
include "trace/profiler.pxi"
include "trace/layer.pxi"
include "trace/graph_run.pxi"
include "trace/costs.pxi"
include "trace/name.pxi"
include "trace/range.pxi"
include "trace/delayed.pxi"
include "trace/trace.pxi"
include "trace/serial.pxi"
include "trace/launch.pxi"
include "trace/wait.pxi"

# c: the same for C code, without Python.
include "c/interface.pxi"
include "c/handle.pxi"
include "c/status.pxi"
include "c/kernel.pxi"
include "c/symbol.pxi"
include "c/configuration.pxi"
include "c/recorded.pxi"
include "c/launch.pxi"
include "c/stream.pxi"
include "c/event.pxi"
include "c/table.pxi"

# host: what compiled HIP and CUDA programs call.
include "host/interface.pxi"
include "host/registration.pxi"
include "host/addresses.pxi"
include "host/call.pxi"
include "host/memory.pxi"
include "host/wait.pxi"
include "host/launch.pxi"
include "host/table.pxi"

# baselines: the same launches as loops in C, past the table: what benchmarks compare with.
include "baselines/opencl.pxi"
include "baselines/gpu.pxi"
include "baselines/block.pxi"
include "baselines/memory.pxi"
include "baselines/c_interface.pxi"
include "baselines/fast.pxi"

# process: what all devices share, what the packages above register, and the end of a process.
include "process/runtime.pxi"
include "process/registered.pxi"
include "process/living.pxi"
include "process/crash.pxi"
include "process/fork.pxi"

# python, once all classes are there.
include "python/sealed.pxi"
include "python/listed.pxi"

# What Python names of the above.
LEGACY, BLOCKING, NONBLOCKING = QUEUE_LEGACY, QUEUE_BLOCKING, QUEUE_NONBLOCKING
UP, DOWN, WITHIN = COPY_UP, COPY_DOWN, COPY_WITHIN
DEVICE, PINNED, MANAGED = MEMORY_DEVICE, MEMORY_HOST, MEMORY_MANAGED
