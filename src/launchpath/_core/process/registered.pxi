# Classes and functions of the packages above that the core uses. It imports none of them: each is registered by its own
# module, which is imported with the package.

cdef void *array_type = NULL       # the public Array: told by identity, before any other kind of ArrayBase
cdef object result_type = None     # the public Result, for messages
# makes a stream of ours of another library's: (stream, device) -> stream, or what it was given
cdef object read_stream = None
cdef object make_bounds_error = None       # of what a kernel's failed check left: see `bounds_failure`
cdef object read_tensor = None     # finds how torch's tensors are read: tensor -> what `use_tensors` takes


def register_array(kind not None):     # not `type kind`: that refuses classes with a type of their own
    """Name the class that nearly all array arguments are of."""
    global array_type
    array_type = <void *>kind


def register_result(type kind not None):
    """Name the class of what launches return, which is no argument."""
    global result_type
    result_type = kind


def register_stream_reader(function not None):
    """Name the function that reads streams of other libraries."""
    global read_stream
    read_stream = function


def register_bounds_error(function not None):
    """Name the function that makes the error of a failed check.

    It gets the kernel's name, its `DriverKernel.checks` (None if the kernel is gone), the number of the check, the address,
    where the memory that it was checked against begins and ends, the offset in the packed arguments of an address in that
    memory (-1: there is none), the block, and the thread."""
    global make_bounds_error
    make_bounds_error = function


def register_tensor_reader(function not None):
    """Name the function that finds how tensors are read, once for each type of them."""
    global read_tensor
    read_tensor = function
