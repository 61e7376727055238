# Pinned host memory of a pool, which NumPy arrays look at. A device reaches it without staging.


@cython.no_gc_clear                # arrays look at the allocation until they are gone
cdef class PinnedMemory:
    """Pinned host memory. NumPy makes arrays of it; it goes back to its pool with the last of them, safely at any time.

    Attributes
    ----------
    device : Device
        Copies between its memory and this are made without staging.
    nbytes : int
    """
    cdef readonly DeviceBase device
    cdef readonly size_t nbytes
    cdef Allocation allocation

    @property
    def pointer(self):
        """The host's address, as an int."""
        return <uintptr_t>self.allocation.address

    @property
    def __array_interface__(self):
        return {"data": (<uintptr_t>self.allocation.address, False), "shape": (self.nbytes,), "typestr": "|u1",
                "version": 3}

    def __repr__(self):
        return f"<PinnedMemory of {self.nbytes:,} bytes for {self.device.info['name']!r}>"


def pinned_memory(DeviceBase device not None, size_t nbytes):
    """Get pinned memory that nothing uses."""
    cdef PinnedMemory memory = PinnedMemory.__new__(PinnedMemory)
    memory.allocation = device.pool.take(nbytes, NULL, MEMORY_HOST, False)
    # The host writes it directly, and any library may be given its address.
    memory.allocation.extent.exposed = device.domain.exposed = True
    memory.device, memory.nbytes = device, nbytes
    return memory


cdef PinnedMemory pinned_base(object host):
    """The pinned memory that a NumPy array looks at, or None.

    A view's `base` may be another view or a buffer, so the chain is followed: a few steps of it, as a foreign class may
    give a `base` without an end."""
    cdef int _depth
    base = host.base
    for _depth in range(8):
        if base is None or type(base) is PinnedMemory:
            return <PinnedMemory>base
        base = getattr(base, "base", None)
    return None


cdef bint is_pinned_for(object host, DeviceBase device) except -1:
    """Whether a device copies from and to a NumPy array's memory without staging.

    OpenCL pins memory for a context; CUDA and HIP (`native`) pin it for all devices of the process."""
    cdef PinnedMemory memory = pinned_base(host)
    return memory is not None and memory.device.domain.driver == device.domain.driver and (
        memory.device.domain.context == device.domain.context or device.domain.native)


def is_pinned(host not None, DeviceBase device not None):
    """Whether a NumPy array looks at pinned memory that a device copies from and to without staging."""
    return is_pinned_for(host, device)


# LAUNCHPATH_MEND=no-wait: (slot, number) of the last copy to memory that a program reads directly, by its queue.
cdef dict host_copies = {}


def note_host_copy(QueueBase stream not None):
    """The last command of a stream is a copy to memory that the program may read without asking."""
    host_copies[stream.queue.identity] = stream.queue.slot, lp_load(&stream.queue.number)


def host_copies_pending():
    """Whether some of the copies that were noted are not known to be complete."""
    for identity, (slot, number) in list(host_copies.items()):
        if is_complete(<uint32_t>slot, <uint64_t>number):
            host_copies.pop(identity, None)
    return bool(host_copies)
