# Specializations: a compiled kernel of another library, and the calls that it was compiled for.

cdef enum:
    FAST_BYTES = 4096              # packed arguments; what is longer goes the original way
    FAST_RULES = 128
    SAMPLED = 1023                 # of so many fast launches, a power of 2 less 1, one is timed
    SAMPLED_FIRST = 16             # and the first ones of a kernel
    SAMPLES = 32                   # that are kept
    FAST_TRIAL = 0                 # of a specialization: the original launches, and the bytes are compared
    FAST_ON = 1
    FAST_OFF = 2

cdef extern from *:
    """
    #include <time.h>
    static inline uint64_t lp_fast_clock(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    }
    """
    uint64_t lp_fast_clock() noexcept nogil


cdef class FastSpecialization:
    """What the original launches for calls of one kind, and how such calls are told.

    Parameters
    ----------
    kernel : object
        What the original returned: it keeps the function loaded.
    function : int
        The driver's handle.
    place : int
        Where calls of this kind are made: the number of the device, or the address of the context.
    block : tuple of int
    shared : int
        Bytes.
    size : int
        Bytes of the packed arguments.
    rules : list of tuple
        For each argument of a call: kind, flags, size, offset, element type, low, high, value.
    rest : list of tuple
        (rule, value) of the parameters that such calls leave out.
    """
    cdef readonly object kernel
    cdef readonly int state
    cdef readonly int64_t place
    cdef readonly uint64_t launches
    cdef uint64_t sampled
    cdef uint32_t samples[SAMPLES]  # ns, the last ones
    cdef public object note        # Python's own: what it needs to compare, and for the report
    cdef FastSpecialization next
    cdef void *function
    cdef uint32_t block[3]
    cdef uint32_t shared
    cdef size_t size
    cdef int n_rules
    cdef fast_rule *rules
    cdef char *template
    cdef tuple held

    def __init__(self, kernel, function, place, block, shared, size_t size, list rules not None, list rest not None, note=None):
        cdef fast_rule rule
        cdef int i
        if size > FAST_BYTES or len(rules) > FAST_RULES:
            raise ValueError(f"expected at most {FAST_BYTES} bytes and {FAST_RULES} arguments, got {size} and {len(rules)}")
        self.kernel, self.place, self.note, self.state = kernel, place, note, FAST_TRIAL
        self.function = <void *><uintptr_t>function
        self.block, self.shared, self.size = [block[0], block[1], block[2]], shared, size
        self.template = <char *>calloc(size + 8, 1)
        self.rules = <fast_rule *>calloc(max(len(rules), 1), sizeof(fast_rule))
        if self.template == NULL or self.rules == NULL:
            raise MemoryError
        self.n_rules, self.held = <int>len(rules), tuple([row[7] for row in rules])
        for i in range(self.n_rules):
            read_rule(rules[i], size, &self.rules[i])
            self.rules[i].value = <PyObject *><object>self.held[i]
        for row, value in rest:
            read_rule(row, size, &rule)
            constant = row[7]
            rule.value = <PyObject *>constant
            if not rule_takes(&rule, <PyObject *>value, self.template):
                raise ValueError(f"a parameter's default value {value!r} is not what the kernel was compiled for")

    def __dealloc__(self):
        free(self.rules)
        free(self.template)

    def samples_ns(self):
        """How long the last timed calls took."""
        return [self.samples[i] for i in range(min(self.sampled, SAMPLES))]

    def decide(self, bint right):
        """End the trial: launch so from now on, or never."""
        self.state = FAST_ON if right else FAST_OFF

    def packed(self, tuple args not None):
        """The packed arguments of a call, in the order of the rules; None: it is not of this kind."""
        cdef char stack[FAST_BYTES + 8]
        if len(args) != self.n_rules or not specialization_packs(self, tuple_items(<PyObject *>args), stack):
            return None
        return stack[:self.size]


cdef inline void specialization_sampled(FastSpecialization of, uint64_t began) noexcept:
    """Note how long a call took."""
    cdef uint64_t took = lp_fast_clock() - began
    of.samples[of.sampled & (SAMPLES - 1)] = <uint32_t>took if took < 0xffffffff else 0xffffffff
    of.sampled += 1


cdef int read_rule(tuple row, size_t end, fast_rule *rule) except -1:
    kind, flags, size, offset, dtype, low, high, _ = row
    rule.kind, rule.flags, rule.size, rule.offset, rule.dtype, rule.low, rule.high = (
        kind, flags, size, offset, dtype, low, high)
    if offset + size > end:
        raise ValueError(f"expected arguments within {end} bytes, got {size} at {offset}")
    return 0


cdef inline bint specialization_packs(FastSpecialization of, PyObject **args, char *packed) noexcept:
    """Check all arguments and pack them."""
    cdef fast_rule *rule = of.rules
    cdef int i
    memcpy(packed, of.template, of.size)
    for i in range(of.n_rules):
        if not rule_takes(&rule[i], args[i], packed):
            return False
    return True
