# What a launch needs to know of an array; the public class derives from it.

import operator


cdef class ArrayBase:
    """A contiguous piece of an allocation with an element type."""
    # What a launch reads comes first, and together.
    cdef void *address
    cdef readonly DeviceBase device
    cdef uint64_t checked          # `frees` when the allocation was last seen not to be freed
    cdef readonly int dtype_code
    cdef readonly Allocation allocation
    cdef readonly object dtype     # numpy.dtype
    cdef readonly tuple shape
    cdef readonly size_t nbytes

    def __cinit__(self, Allocation allocation not None, DeviceBase device not None, dtype, int dtype_code, tuple shape,
                  size_t offset, size_t nbytes):
        if offset + nbytes > allocation.size:
            raise errors.ArgumentValueError(f"bytes {offset} to {offset + nbytes} of an allocation of {allocation.size}")
        self.allocation, self.device, self.dtype, self.dtype_code = allocation, device, dtype, dtype_code
        self.address = <char *>allocation.address + offset
        self.shape, self.nbytes = shape, nbytes
        self.checked = <uint64_t>-1

    @property
    def offset(self):
        return <char *>self.address - <char *>self.allocation.address

    @property
    def pointer(self):
        """The device address, as an int."""
        if self.allocation.freed:
            raise errors.FreedError(f"the array of shape {self.shape}, {self.dtype}, was freed")
        return <uintptr_t>self.address


cdef class DevicePointer:
    """A raw device address as a kernel argument: taken as it is, for any pointer parameter.

    Parameters
    ----------
    address : int
        An address on the device that the kernel runs on; 0 is the null pointer.
    """
    cdef readonly uintptr_t address

    def __cinit__(self, address):
        try:
            self.address = operator.index(address)
        except (OverflowError, TypeError) as error:
            raise errors.ArgumentValueError(f"a device address is a non-negative int of 64 bits, not {address!r}") from error

    def __repr__(self):
        return f"DevicePointer({self.address:#x})"

    def __int__(self):
        return self.address
