# The part of an array that a launch needs; the public class derives from it.

import operator

from numpy import bool_ as numpy_bool, dtype as numpy_dtype


cdef class ArrayBase:
    """A contiguous piece of an allocation with an element type."""
    # What a launch reads comes first, and together.
    cdef void *address
    cdef readonly DeviceBase device
    cdef uint64_t checked          # `frees` when the allocation was last seen not to be freed
    cdef uint64_t order            # identity of the queue that comes after what the memory awaits; 0: it awaits nothing
    cdef readonly int dtype_code
    cdef readonly Allocation allocation
    cdef readonly object dtype     # numpy.dtype
    cdef readonly tuple shape
    cdef readonly size_t nbytes

    def __cinit__(self, memory=None, device=None, dtype=None, dtype_code=-1, shape=None, offset=0, nbytes=0):
        if memory is no_allocation:
            return                 # `new_array` sets the rest
        if not isinstance(memory, Allocation):
            raise TypeError("use launchpath.empty, zeros, full or asarray to create an array")
        self.take(<Allocation>memory, device, dtype, dtype_code, shape, offset, nbytes)

    cdef int take(self, Allocation allocation, DeviceBase device, dtype, int dtype_code, tuple shape, size_t offset,
                  size_t nbytes) except -1:
        if device is None or shape is None:
            raise TypeError("expected a device and a shape, got None")
        if not isinstance(dtype, numpy_dtype):
            raise TypeError(f"expected a numpy.dtype, got {described(dtype)}")
        if offset > allocation.size or nbytes > allocation.size - offset:       # their sum may overflow
            raise errors.ArgumentValueError(
                f"expected bytes within an allocation of {allocation.size}, got {nbytes} bytes from {offset}")
        if nbytes != bytes_of(shape, dtype.itemsize):
            raise errors.ArgumentValueError(f"expected the size of shape {shape} of {dtype}, got {nbytes} bytes")
        # Only memory of the same device, or what a driver's program lends, can be given to the device's queues.
        if allocation.pool is not None and allocation.pool is not device.pool:
            raise errors.ArgumentValueError(f"the allocation is not of {device.info['name']!r}")
        self.allocation, self.device, self.dtype, self.dtype_code = allocation, device, dtype, dtype_code
        self.address = <char *>allocation.address + offset
        self.shape, self.nbytes = shape, nbytes
        self.checked = <uint64_t>-1
        self.order = 0 if allocation.extent == NULL else allocation.extent.ordered

    @property
    def offset(self):
        return <char *>self.address - <char *>self.allocation.address

    @property
    def pointer(self):
        """The device address, as an int.

        Commands that were submitted before the array was allocated may still use its memory: reading the address waits
        for them, since work on any stream may use it then."""
        self.check_lives()
        self.expose()
        return <uintptr_t>self.address

    @property
    def bare_address(self):
        """The device address, to be compared only: what uses it may come too early."""
        self.check_lives()
        return <uintptr_t>self.address

    def pointer_on(self, QueueBase stream not None):
        """The device address, as an int, for what a stream does next, and for what waits for that. Waits for nothing.

        Parameters
        ----------
        stream : Stream
            Its next command comes after those that may still use the memory: see `pointer`.
        """
        address = self.address_on(stream)
        if unlikely(lp_runtime.steps):
            step_ends_here()
        if self.allocation.extent != NULL:
            self.allocation.extent.exposed = self.device.domain.exposed = True
        return address

    def address_on(self, QueueBase stream not None):
        """`pointer_on` for commands that are submitted at once, and keep the address to themselves."""
        self.check_lives()
        self.order_on(stream.queue)
        return <uintptr_t>self.address

    cdef inline int check_lives(self) except -1:
        if self.allocation.freed:
            raise freed_error(self)
        return 0

    cdef inline int order_on(self, lp_queue *queue) except -1:
        """Let a queue's next command come after what the memory awaits."""
        if unlikely(lp_here.step != NULL):
            step_uses(self)
        if self.order != 0 and self.order != queue.order_identity:
            order_memory(self.allocation.pool, self.allocation.extent, queue)
            self.check_lives()         # another thread may have freed it meanwhile
            self.order = self.allocation.extent.ordered
        return 0

    cdef int expose(self) except -1:
        """Wait for what the memory awaits, and count every queue as one that may use it: the address is handed out."""
        cdef lp_extent *extent = self.allocation.extent
        self.device.check_open()
        if unlikely(lp_runtime.steps):
            step_ends_here()           # foreign code may use the address at once
        if extent == NULL or extent.exposed and self.order == 0:
            return 0
        # First: work that is submitted while this waits may have the address from another thread.
        extent.exposed = self.device.domain.exposed = True
        if self.order != 0:
            await_memory(self.allocation.pool, extent)
            self.order = 0
        return 0


def freed_error(ArrayBase array not None, str where=""):
    """The exception for an array that was used after `free`; `where` comes first in its message."""
    return errors.FreedError(
        f"{where}expected an array that has its memory, got the array of shape {array.shape}, {array.dtype}, which was freed: omit "
        "free(), because dropping an array frees it as well, or create another array")


@cython.no_gc_clear                # __dealloc__ needs `allocation`; the array may be cleared by then
cdef class Loan:
    """An array whose memory another library looks at, for as long as it does: the memory cannot be freed by name
    then."""
    cdef readonly ArrayBase array
    cdef Allocation allocation

    def __cinit__(self, ArrayBase array not None):
        array.check_lives()
        self.array, self.allocation = array, array.allocation
        self.allocation.loans += 1

    def __dealloc__(self):
        if self.allocation is not None:
            self.allocation.loans -= 1


cdef size_t bytes_of(tuple shape, size_t itemsize) except? 0:
    """Bytes of an array's elements."""
    cdef size_t total = itemsize, extent
    if 0 in shape:
        return 0
    for extent in shape:
        if total > <size_t>-1 // extent:
            raise errors.ArgumentValueError(f"an array of shape {shape} has more bytes than an address space")
        total *= extent
    return total


def wait_for_others(QueueBase stream not None):
    """Wait for the work of the device that a command on a stream would not come after, and for that of devices whose kernels
    may use its memory.

    A read without a stream cannot know which stream writes the array. Streams that are captured run nothing, and
    are left out.

    Raises
    ------
    AsynchronousError
        A command of such a stream failed: it may be the one that was to write what is read.
    """
    finish_users(stream.device, stream.queue)


def wait_for_all(DeviceBase device not None):
    """Wait for all work that may use the device's memory, as `wait_for_others` does, before the host uses it."""
    device.check_open()
    finish_users(device, NULL)


cdef finish_users(DeviceBase device, lp_queue *covering):
    """Wait for the queues whose commands may use a device's memory, but for those that `finish_uncovered` leaves out."""
    cdef DeviceBase other
    finish_uncovered(device.domain, covering)
    if device.domain.peers:
        for other in list(open_devices):
            if kernels_reach(other, device):       # copies are ordered with a stream of this device as well
                finish_uncovered(other.domain, NULL)


cdef finish_uncovered(lp_domain *domain, lp_queue *covering):
    """Wait for the queues of a device, but for those that a command on one queue of it comes after, if there is such a queue."""
    cdef lp_queue **queues = NULL
    cdef lp_queue *queue
    cdef uint32_t i, kept = 0, n = 0
    cdef int code
    cdef bint covered
    with nogil:
        code = list_queues(domain, &queues, &n)
        for i in range(n):
            queue = queues[i]
            # The legacy stream and the blocking ones wait for each other.
            covered = covering != NULL and (
                queue == covering or queue.kind != QUEUE_NONBLOCKING and covering.kind != QUEUE_NONBLOCKING and (
                    queue.kind == QUEUE_LEGACY or covering.kind == QUEUE_LEGACY))
            if covered or is_captured(queue):
                lp_add(&queue.users, -1)
                queue_unref(queue)
            else:
                queues[kept] = queue
                kept += 1
    finish_all(queues, kept, code)


cdef class DevicePointer:
    """A raw device address as a kernel argument, unchecked, for any pointer parameter.

    Parameters
    ----------
    address : int
        An address on the device that the kernel runs on; 0 is the null pointer.

    Attributes
    ----------
    address : int

    Raises
    ------
    ArgumentValueError
        It is not an int from 0 to 2**64 - 1.
    """
    cdef readonly uintptr_t address

    def __cinit__(self, address):
        try:
            self.address = operator.index(address)
        except (OverflowError, TypeError) as error:
            raise errors.ArgumentValueError(
                f"expected a device address, a non-negative int of 64 bits, got {described(address)}") from error

    def __repr__(self):
        return f"DevicePointer({self.address:#x})"

    def __int__(self):
        return self.address

    def __eq__(self, other):
        return self.address == (<DevicePointer>other).address if isinstance(other, DevicePointer) else NotImplemented

    def __hash__(self):
        return hash((DevicePointer, self.address))

    def __reduce__(self):
        return DevicePointer, (self.address,)
