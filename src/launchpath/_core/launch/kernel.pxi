# Kernels: `kernel[grid, block, stream, shared]` makes a launcher.



cdef class KernelBase:
    """A kernel of a program on a device, with its signature."""
    cdef lp_parameter *parameters
    cdef uint32_t *sizes           # of the parameters, in bytes
    cdef Py_ssize_t count
    cdef size_t size
    cdef void *handle
    cdef const char *label
    cdef DriverKernel driver
    cdef readonly DeviceBase device
    cdef readonly object signature
    cdef readonly object uses      # what launches use besides their arguments: the memory of the program's globals
    cdef readonly str name
    cdef dict indices
    cdef uint32_t max_threads, shared_limit, shared_default
    cdef uint32_t flags            # of the launches it makes
    cdef int dl_type, dl_id        # the device in DLPack's terms
    cdef bint closing              # packed bytes need `close`
    cdef size_t nulls_at           # where parameters begin that no caller gives: null
    cdef bytes multiples           # by parameter: what its value must be a multiple of, or 0
    cdef uint32_t max_block[3]
    cdef uint64_t max_grid[3]
    cdef bint dynamic, padded, rows_are_warps
    cdef bint wants_shared         # it reaches dynamic shared memory
    cdef bint plain                # its arguments need packing and nothing else
    cdef uint64_t local_memory     # bytes a thread, where a launch that needs more than any before waits for the device
    cdef bint by_block             # the driver's kernel takes the address of its packed arguments
    cdef bint writes_block         # and may write to them
    cdef Py_ssize_t longest        # of these, a struct; -1: none is long
    cdef object blocks             # stream -> Block
    cdef block_totals *totals
    cdef lp_spelling *spellings    # of calls by name, see named.pxi
    cdef list structs              # by parameter: its fields, as such a class of their own; None until they are needed
    cdef list layouts              # by parameter: the type of the last struct, which has the parameter's layout
    cdef str within                # of the fields of a struct: the parameter, or field, that the struct is; else None

    def __cinit__(self, built=None, DeviceBase device=None, signature=None, uses=None, *args, **kwargs):
        if (built is not None or signature is None) and not isinstance(built, DriverKernel) or device is None:
            raise TypeError("use program.name or program[name] to get a kernel of a launchpath.compile(source)")
        cdef DriverKernel driver = <DriverKernel?>built if built is not None else None
        if not hasattr(signature, "parameters"):
            raise TypeError(f"expected a launchpath._compiler.Signature, got {described(signature)}")
        if driver is None:
            self.take_members(device, signature, uses)
            return
        check_signature(signature)
        self.driver, self.device, self.signature, self.uses = driver, device, signature, uses
        self.handle, self.size, self.count = driver.handle, signature.size, len(signature.parameters)
        device.legacy_stream           # launches without a stream go there, and do not ask whether it has been opened
        self.dl_type, self.dl_id = dlpack_device(device)
        self.take_name(signature.name)
        self.take_parameters(signature.parameters)
        self.by_block, self.writes_block, self.longest = signature.block, signature.writes_block, -1
        if self.by_block:
            self.take_block()
        else:
            self.check_size()
        self.take_places(list(signature.nulls))
        self.take_limits()
        self.choose_packing()
        if unlikely(lp_runtime.mended):
            note_kernel(self)

    cdef int take_members(self, DeviceBase device, signature, token) except -1:
        """Be the fields of a struct, see `members_of`. Nothing launches them."""
        if token is not OF_MEMBERS:
            raise TypeError("expected a DriverKernel, got None")
        self.device, self.signature, self.count = device, signature, len(signature.parameters)
        self.dl_type, self.dl_id = dlpack_device(device)
        self.take_name(signature.name)
        self.take_parameters(signature.parameters)
        return 0

    cdef int take_name(self, str name) except -1:
        cdef bytes kept = kept_name(name)
        self.name, self.label = name, PyBytes_AS_STRING(<PyObject *>kept) + 4
        return 0

    cdef int take_parameters(self, parameters) except -1:
        """The parameters in the form that packing reads."""
        cdef Py_ssize_t i
        self.parameters = <lp_parameter *>calloc(self.count + 1, sizeof(lp_parameter))
        self.sizes = <uint32_t *>calloc(self.count + 1, sizeof(uint32_t))
        if self.parameters == NULL or self.sizes == NULL:
            raise MemoryError
        for i in range(self.count):
            self.sizes[i] = parameters[i].size
            fill_parameter(&self.parameters[i], parameters[i])
        self.indices = {parameter.name: i for i, parameter in enumerate(parameters)}
        self.multiples = bytes([parameter.multiple for parameter in parameters])
        return 0

    cdef int take_block(self) except -1:
        """What launches by an argument block need."""
        cdef Py_ssize_t i
        self.blocks = weakref.WeakKeyDictionary()
        self.totals = <block_totals *>calloc(1, sizeof(block_totals))
        if self.totals == NULL:
            raise MemoryError
        self.totals.refs = 1
        for i in range(self.count):
            if self.parameters[i].kind == KIND_STRUCT and self.sizes[i] >= LONG and (
                    self.longest < 0 or self.sizes[i] > self.sizes[self.longest]):
                self.longest = i
        return 0

    cdef int check_size(self) except -1:
        """Refuse more bytes of arguments than the device takes with a launch."""
        size = self.signature.end if self.device.driver.native else self.size
        most = self.device.info["parameter_bytes"]
        if size > most:
            raise errors.ConfigurationError(
                f"kernel {self.name} has {self.size} bytes of arguments; {self.device.info['name']} takes at most {most}")
        return 0

    cdef int take_places(self, list nulls) except -1:
        """Tell the driver where the parameters are in the packed bytes, those included that no caller gives."""
        places = [(parameter.offset, parameter.size) for parameter in self.signature.parameters]
        if self.by_block:
            places = [(0, sizeof(void *))]
        self.driver.take_parameters(places + nulls)
        self.nulls_at = nulls[0][0] if nulls else self.size
        self.closing = bool(nulls) or any(self.multiples)
        return 0

    cdef int take_limits(self) except -1:
        """What a launch's configuration is checked against."""
        cdef dict info = self.device.info, own = self.driver.info
        cdef int i
        self.max_threads = min(info["max_threads_per_block"], own.get("max_threads_per_block", 1 << 31),
                               self.signature.max_threads or 1 << 31)
        static = max(self.signature.shared, own.get("shared_memory", 0) if self.device.driver.native else 0)
        self.shared_default = max(0, info["shared_memory_per_block"] - static)
        self.shared_limit = max(0, info.get("shared_memory_optin", info["shared_memory_per_block"]) - static)
        self.dynamic, self.rows_are_warps = self.signature.dynamic_shared, self.signature.warps
        self.wants_shared = self.dynamic and self.signature.dynamic_variable is not None
        self.local_memory = own.get("local_memory", 0) if self.device.driver.traits.get("keeps_local_memory") else 0
        for i in range(3):
            self.max_block[i] = min(info["max_block"][i], (1 << 32) - 1)
            self.max_grid[i] = info["max_grid"][i]
        return 0

    cdef int choose_packing(self) except -1:
        """Whether launches take the short way: their bytes are packed, and nothing else is to be done."""
        # Only a driver that compares the bytes with those of the last launch minds what is between the parameters.
        self.padded = (self.by_block or not self.device.driver.native) and (
            sum([parameter.size for parameter in self.signature.parameters]) != self.size)
        self.plain = not self.by_block and not self.padded and not self.closing and self.size <= 8 * (STACK_WORDS - 1)
        return 0

    def __dealloc__(self):
        free(self.parameters)
        free(self.sizes)
        if self.totals != NULL:
            drop_totals(self.totals)
        drop_spellings(self.spellings)

    cdef Block block_of(self, QueueBase stream):
        """The block of a stream, made at its first launch; it goes with the stream."""
        cdef Block block = self.blocks.get(stream)
        if block is None:
            block = self.blocks.setdefault(stream, Block.__new__(Block, self))
        return block

    def argument_counts(self):
        """Count the uploads of the kernel's argument blocks so far, including those of streams that no longer exist.

        Returns
        -------
        dict of str to int
            ``uploads`` made and ``skipped``, ``bytes`` uploaded, ``slots`` made, ``growths`` (of slots and of staging
            memory), ``waits`` for an upload, ``captured`` launches. All 0 for a kernel whose arguments are passed with
            the launch.
        """
        cdef block_counts total
        cdef Block block
        memset(&total, 0, sizeof(total))
        if self.totals != NULL:
            add_counts(&total, &self.totals.gone)
        # Of the dictionary itself: other threads make and drop streams, which a WeakKeyDictionary's iterator does not
        # bear.
        for block in list(self.blocks.data.values()) if self.by_block else ():
            add_counts(&total, &block.c.counts)
        return block_counts_of(&total)

    cdef str where(self, Py_ssize_t index):
        parameter = self.signature.parameters[index]
        if self.within is not None:
            return f"{self.within}: " + (f"field {parameter}" if parameter.name else f"an element, {parameter.ctype}")
        return f"{self.name}: parameter {index if parameter.argument is None else parameter.argument} ({parameter})"

    def __getitem__(self, key):
        cdef Launcher launcher
        cdef Py_ssize_t n
        if type(key) is not tuple or not 2 <= len(<tuple>key) <= 4:
            raise errors.ConfigurationError(
                f"expected {self.name}[grid, block], {self.name}[grid, block, stream] or {self.name}[grid, block, stream, "
                f"shared], got {shown(key)}")
        n = len(<tuple>key)
        launcher = new_launcher(self, (<tuple>key)[0], (<tuple>key)[1], (<tuple>key)[2] if n > 2 else None,
                                n > 3, (<tuple>key)[3] if n > 3 else None)
        if unlikely(self.wants_shared and launcher.config.shared == 0):
            raise self.lacks_shared("[grid, block, stream, bytes]")
        return launcher

    def over(self, n, block=256, shared=0, stream=None):
        """Make a launch over `n` elements, with a thread for each: ``kernel.over(n)(*arguments)``.

        The grid is as many blocks as `n` elements need. The last block may have more threads than elements are left, so
        the kernel compares its index with `n`, as in ``if (i < n)``.

        Parameters
        ----------
        n : int, or tuple or list of up to three int
            Elements, (x, y, z) as in a grid and a block: an image of 480 rows of 640 pixels is ``(640, 480)``. With 0
            elements nothing is launched, in steps and graphs too; the arguments are checked.
        block : int, or tuple or list of up to three int
            Threads of a block, of no more dimensions than `n` has.
        shared : int
            Bytes of dynamic shared memory of a block.
        stream : Stream or a stream of another library, optional
            The current stream at each call if omitted.

        Returns
        -------
        launcher
            The same as ``kernel[grid, block, stream, shared]`` gives.

        Raises
        ------
        ConfigurationError
            `n` is negative or no number, the block has more dimensions than `n`, or the device or the kernel does not
            support such a launch.

        Examples
        --------
        >>> forces.over(n)(state, n)  # n = 1000: 4 blocks of 256 threads
        >>> launch = forces.over((640, 480), (32, 8))  # for an image, to be kept
        """
        return launcher_over(self, n, block, shared, stream)

    cdef int close(self, char *packed) except -1:
        """What foreign compilers rely on: nulls behind the arguments, values that are multiples of what was
        promised."""
        cdef const unsigned char *multiples = self.multiples
        cdef Py_ssize_t i
        memset(packed + self.nulls_at, 0, self.size - self.nulls_at)
        for i in range(self.count):
            if multiples[i] and (<unsigned char *>packed)[self.parameters[i].offset] % multiples[i]:
                raise errors.ArgumentValueError(
                    f"{self.where(i)}: the kernel was compiled for multiples of {multiples[i]}: compile it for other "
                    "values, or without that assumption")
        return 0

    cdef object check_shared(self, shared):
        """Dynamic shared memory in bytes, which a launch may have from now on."""
        size = whole_number(shared)
        if size is None or size < 0:
            hint = ": pass it as stream=" if isinstance(shared, QueueBase) else ""
            raise errors.ConfigurationError(
                f"{self.name}: expected dynamic shared memory in bytes, an int, got {shown(shared)}{hint}")
        shared = size
        if shared > self.shared_limit:
            most = self.device.info.get("shared_memory_optin", self.device.info["shared_memory_per_block"])
            raise errors.ConfigurationError(
                f"{self.name}: {shown(shared)} bytes of dynamic and {most - self.shared_limit} of static shared memory, but "
                f"{self.device.info['name']} has {most} for a block: use a smaller block, or tiles")
        if shared > self.shared_default:
            self.driver.allow_shared(shared)
            self.shared_default = shared
        return shared

    cdef object lacks_shared(self, str spelling):
        """The exception for a launch that gives no bytes of the dynamic shared memory that the kernel reaches."""
        variable = self.signature.dynamic_variable
        called = f" '{variable}'" if variable else ""
        return errors.ConfigurationError(
            f"kernel '{self.name}' uses dynamic shared memory, extern __shared__{called}: expected its bytes for a block, "
            f"{self.name}{spelling}, got 0: a launch whose threads do not reach it can give 1")

    def make_cooperative(self):
        """Let every launcher made from this object launch cooperatively: all blocks at once, so that they may wait for
        each other."""
        if not self.device.info.get("cooperative"):
            raise errors.ConfigurationError(
                f"{self.name}: {self.device.info['name']} ({self.device.info['platform']}) has no cooperative launches: "
                "split the kernel where its blocks wait for each other")
        self.flags |= LAUNCH_COOPERATIVE

    cdef QueueBase stream(self, named):
        cdef QueueBase stream
        if isinstance(named, FollowerBase):
            named = (<FollowerBase>named).look(self.device)
        elif not isinstance(named, QueueBase) and (self.dl_type or hasattr(named, "__cuda_stream__")):
            named = read_stream(named, self.device)
        if not isinstance(named, QueueBase):
            hint = ""
            if isinstance(named, int):
                hint = "; dynamic shared memory is the fourth, a grid of two dimensions is a tuple" + (
                    ", and launchpath.Stream.external takes handles" if self.dl_type else "")
            raise errors.SignatureError(f"{self.name}: expected a stream (third), got {described(named)}{hint}")
        stream = <QueueBase>named
        if stream.device is not self.device:
            raise self.wrong_stream(stream, False)
        return stream

    cdef object wrong_stream(self, QueueBase stream, bint current):
        """The exception for a stream of another device: it was named, or it is the current stream."""
        advice = "create it with launchpath.Stream(device=kernel.device)"
        if current:
            advice = f"launch outside its `with`, or name a stream, {self.name}[grid, block, stream]"
        return errors.ArgumentValueError(
            f"{self.name}: expected a stream of {self.device.info['name']!r}, the kernel's device, got "
            f"{'the current' if current else 'a'} stream of {stream.device.info['name']!r}: {advice}")

    cdef int check_configuration(self, launch_config *config) except -1:
        cdef int i
        cdef uint64_t threads = <uint64_t>config.block[0] * config.block[1] * config.block[2]
        for i in range(3):
            if config.block[i] > self.max_block[i]:
                raise errors.ConfigurationError(
                    f"{self.name}: expected a block of at most {self.max_block[i]} threads in {'xyz'[i]} on "
                    f"{self.device.info['name']}, got {config.block[i]}: use a smaller block and a larger grid")
            if config.grid[i] > self.max_grid[i]:
                raise errors.ConfigurationError(
                    f"{self.name}: expected a grid of at most {self.max_grid[i]} blocks in {'xyz'[i]} on "
                    f"{self.device.info['name']}, got {config.grid[i]}: let each thread compute several elements, or launch "
                    "several times")
        if threads > self.max_threads:
            raise errors.ConfigurationError(
                f"{self.name}: expected a block of at most {self.max_threads} threads on {self.device.info['name']}, got "
                f"{threads}: use a smaller block and a larger grid")
        if self.rows_are_warps and config.block[0] % 32 != 0 and threads != config.block[0]:
            raise errors.ConfigurationError(
                f"{self.name} uses warp functions, and {self.device.info['name']} makes warps of rows of a block: expected "
                f"blocks of a single dimension, or of a multiple of 32 threads in x, got {tuple(config.block)}")
        return 0

    cdef object count_error(self, Py_ssize_t passed, only=None):
        constants = ", ".join(self.signature.constants) if passed > self.count else ""
        hint = f": omit the constants of the compiled kernel ({constants})" if constants else ""
        if not hint and self.signature.fields and passed == len(self.signature.fields):
            hint = f": {self.name}.by_fields takes the {passed} fields of the struct that it points to"
        if isinstance(only, (tuple, list)) and len(only) == self.count:
            hint = f": pass the items of the {type(only).__name__} one by one, {self.name}[grid, block](*arguments)"
        if not hint and passed < self.count:
            hint = ": pass " + ", ".join([repr(parameter.name) for parameter in self.signature.parameters[passed:]]) + " too"
        plural = "" if self.count == 1 else "s"
        return errors.SignatureError(f"{self.signature}: expected {self.count} argument{plural}, got {passed}{hint}")


def whole_number(value):
    """A number as an int; None for what is none: a bool, a float, an array with axes."""
    if PyLong_CheckExact(value):
        return value
    if PyBool_Check(value):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None
