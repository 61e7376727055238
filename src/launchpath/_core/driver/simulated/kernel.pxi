# Kernels: Python functions that tests give, and `mix`, which needs no Python.

from cpython.memoryview cimport PyMemoryView_FromMemory
from cpython.buffer cimport PyBUF_WRITE


cdef inline uint32_t sim_mix(uint32_t into, uint32_t value, uint32_t tag) noexcept nogil:
    cdef uint32_t h = into * <uint32_t>0x9E3779B1 + value
    h = (h ^ (h >> 15)) * <uint32_t>0x85EBCA77 + tag
    h = (h ^ (h >> 13)) * <uint32_t>0xC2B2AE3D
    return h ^ (h >> 16)


def simulated_mix(into, value, tag):
    """What the built-in kernel ``mix`` stores, for references.

    Parameters
    ----------
    into, value, tag : int
        ``dst[i]``, ``src[i]`` (0 without a source) and the launch's tag, unsigned 32 bits each.

    Returns
    -------
    int
        The new ``dst[i]``.
    """
    return sim_mix(into & 0xFFFFFFFF, value & 0xFFFFFFFF, tag & 0xFFFFFFFF)


cdef void sim_run_mix(sim_node *node) noexcept nogil:
    cdef sim_machine *m = node.queue.machine
    cdef uint32_t *to = <uint32_t *>sim_at(m, sim_integer(node.bytes, 8))
    cdef uint64_t address = sim_integer(node.bytes + 8, 8)
    cdef uint32_t *source = <uint32_t *>sim_at(m, address)
    cdef uint32_t n = <uint32_t>sim_integer(node.bytes + 16, 4), tag = <uint32_t>sim_integer(node.bytes + 20, 4), i
    cdef sim_allocation *a
    for i in range(node.n_ranges):                 # never past an end: that was reported
        a = node.ranges[i].allocation
        n = min(n, <uint32_t>min((a.high - node.ranges[i].low) // 4, <uint64_t>0xFFFFFFFF))
    for i in range(n):
        to[i] = sim_mix(to[i], source[i] if address else 0, tag)


class SimulatedCall:
    """One launch, as the Python function that implements the kernel sees it.

    Attributes
    ----------
    grid, block : tuple of int
        Blocks, and threads in a block.
    shared : int
        Bytes of dynamic shared memory.
    args : tuple
        One value a parameter: pointers and integers as int, floats as float, structs as bytes.
    name : str
        The kernel's name.
    """

    def __init__(self, machine, name, grid, block, shared, args):
        self._machine, self.name, self.args = machine, name, args
        self.grid, self.block, self.shared = grid, block, shared

    def view(self, address, count, dtype="u1"):
        """`count` items of `dtype` at a device address, as a writable NumPy array."""
        return self._machine.view(address, count, dtype)

    def bytes(self, address, size):
        """`size` bytes at a device address, as a writable memoryview."""
        return self._machine.bytes(address, size)


cdef object sim_argument(const sim_parameter *p, const char *bytes):
    if p.kind == SIM_STRUCT:
        return (<const char *>bytes)[p.offset:p.offset + p.size]
    if p.kind == SIM_FLOAT:
        import struct
        return struct.unpack({2: "e", 4: "f", 8: "d"}[p.size], bytes[p.offset:p.offset + p.size])[0]
    return int.from_bytes(bytes[p.offset:p.offset + p.size], "little", signed=p.kind == SIM_INT)


cdef int sim_call_python(sim_node *node) noexcept with gil:
    """Run a Python kernel, without the machine's lock. An exception fails the command and is kept for the test."""
    global sim_this_kernel
    cdef sim_kernel *k = node.kernel
    cdef launch_config *c = &node.config
    cdef sim_machine *m = node.queue.machine
    if m.owner == NULL:
        return SIM_CLOSED
    machine = <object>m.owner
    sim_this_kernel += 1
    try:
        args = tuple([sim_argument(&k.parameters[i], node.bytes) for i in range(k.n_parameters)])
        (<object>k.function)(SimulatedCall(machine, k.name.decode(), (c.grid[0], c.grid[1], c.grid[2]),
                                           (c.block[0], c.block[1], c.block[2]), c.shared, args))
    except BaseException as error:
        machine.errors.append(error)
        return SIM_COMMAND_FAILED
    finally:
        sim_this_kernel -= 1
    return 0


cdef sim_kernel *sim_kernel_new(sim_device *device, str name, object function, list parameters) except NULL:
    """Copy a kernel's description; it lives as long as the machine."""
    cdef sim_kernel *k
    cdef sim_parameter *p
    cdef bytes text = name.encode()
    kinds = {"pointer": SIM_POINTER, "int": SIM_INT, "uint": SIM_UINT, "float": SIM_FLOAT, "struct": SIM_STRUCT}
    rows = []
    for row in parameters:
        kind, offset, size, constant = row[:4]
        length = row[4] if len(row) > 4 else None
        if kind not in kinds:
            raise ValueError(f"expected a kind of parameter ({', '.join(kinds)}), got {kind!r}")
        if kind != "struct" and size not in (1, 2, 4, 8):
            raise ValueError(f"expected a {kind} of 1, 2, 4 or 8 bytes, got {size}")
        source, scale = length if isinstance(length, tuple) else (-1, length or 0)
        if source >= len(parameters):
            raise ValueError(f"expected the length in one of {len(parameters)} parameters, got parameter {source}")
        rows.append((kinds[kind], int(offset), int(size), bool(constant), int(scale), int(source)))
    k = <sim_kernel *>calloc(1, sizeof(sim_kernel))
    k.name = <char *>calloc(1, len(text) + 1)
    memcpy(k.name, <const char *>text, len(text))
    k.parameters = <sim_parameter *>calloc(max(1, len(rows)), sizeof(sim_parameter))
    k.n_parameters = len(rows)
    for i, (kind, offset, size, constant, scale, source) in enumerate(rows):
        p = &k.parameters[i]
        p.kind, p.offset, p.size, p.constant, p.length, p.length_from = kind, offset, size, constant, scale, source
        k.needed = max(k.needed, <size_t>(offset + size))
    k.function = NULL if function is None else <void *>function
    k.context, k.device = device.context, device
    lp_lock_acquire(&device.machine.lock)
    k.next = device.machine.kernels
    device.machine.kernels = k
    lp_lock_release(&device.machine.lock)
    return k
