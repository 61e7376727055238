# Textures as kernels are given them: the address of a descriptor, where kernels read textures in software, or an object
# of the driver's.
#
# In software the descriptor and the elements are one allocation. So a graph that holds the memory at the address that a
# launch got holds all that the launch reads. An object of the driver's is a number: graphs look the texture up by it
# (`textures_by_object`), and its own memory waits, once it is dropped, for all commands that may use it.

cimport cython


cdef enum:
    TEXTURE_ELEMENTS = 256         # bytes from a descriptor to its elements: what any device aligns rows to


@cython.no_gc_clear                # __dealloc__ needs `pool`, which the cycle collector would have cleared
cdef class TextureBase:
    """Elements in memory of a device, and how kernels read them. The public class derives from this and documents it."""
    cdef readonly DeviceBase device
    # Descriptor and elements, or elements alone that are read by index; None: the driver's texture has them
    cdef readonly ArrayBase memory
    cdef Pool pool                 # of a texture of the driver's: the device's own reference may be cleared before
    cdef lp_domain *domain         # a reference, of the same
    cdef void *handle_             # of the driver's; or NULL
    cdef uint64_t object           # what kernels are given
    cdef bint exposed              # foreign code has it
    cdef dict runs                 # of steps that used it: by the recordings' addresses

    def __dealloc__(self):
        if self.handle_ != NULL and not lp_exiting and not lp_runtime.exiting:
            textures_by_object.pop(self.object, None)
            textures_by_handle.pop(<uint64_t><uintptr_t>self.handle_, None)
            if self.runs is not None:
                self.leave_steps()
            self.pool.depart_texture(self.handle_)
        if self.domain != NULL:
            domain_unref(self.domain)

    cdef int leave_steps(self) except -1:
        """No graph can be made any more of runs that used it."""
        cdef lp_recording *recording
        for address, run in self.runs.items():
            recording = <lp_recording *><uintptr_t>address      # none is ever freed
            if recording.run == <uint64_t>run:
                recording.texture_lost = recording.run + 1
        return 0

    cdef int is_used(self) except -1:
        """A command that is submitted next uses it."""
        if lp_here.step == NULL or self.handle_ == NULL:
            return 0
        if self.exposed:
            step_records_nothing()
        if self.runs is None:
            self.runs = {}
        self.runs[<uintptr_t>lp_here.step] = (<lp_recording *>lp_here.step).run
        return 0

    def _in_software(self, DeviceBase device not None, ArrayBase memory not None):
        """Be the descriptor at the begin of some memory."""
        self.device, self.memory, self.object = device, memory, <uint64_t><uintptr_t>memory.address

    def _by_driver(self, DeviceBase device not None, ArrayBase memory, tuple size not None, size_t layers,
                   uint32_t channels, uint32_t bits, int kind, tuple address not None, bint linear, bint normalized,
                   bint floats, size_t pitch=0):
        """Be a texture of the driver's.

        `memory` has its elements if they are read by their index; or rows, with `pitch` bytes from row to row.

        Raises
        ------
        DriverError
            The driver refuses it.
        """
        cdef texture_facts facts
        cdef int i, code
        memset(&facts, 0, sizeof(facts))
        for i in range(len(size)):
            facts.size[i] = size[i]
        for i in range(3):
            facts.address[i] = address[i]
        facts.layers, facts.channels, facts.bits, facts.kind = layers, channels, bits, <texel_kind>kind
        facts.linear, facts.normalized, facts.floats = linear, normalized, floats
        if memory is not None:
            facts.memory, facts.pitch = memory.address, pitch
        device.check_open()
        (<Pool>device.pool).unload()   # textures that were dropped: a loop of temporaries holds few
        self.pool, self.domain = device.pool, domain_ref(device.domain)
        code = self.create(device, &facts)
        if code and code != GPU_LACKING and isinstance(failure(device.domain.table, code), errors.OutOfMemoryError):
            device.pool.trim()
            code = self.create(device, &facts)
        if code:
            raise failure(device.domain.table, code, f"a texture of {' x '.join(map(str, size))} elements"
                          + (f" and {layers} layers" if layers else ""))
        self.device, self.memory = device, memory
        textures_by_object[self.object] = textures_by_handle[<uint64_t><uintptr_t>self.handle_] = <uintptr_t><PyObject *>self

    cdef int create(self, DeviceBase device, const texture_facts *facts) except? -1:
        """Call the driver; gives its code."""
        cdef lp_domain *domain = device.domain
        cdef int code
        with nogil:
            code = domain.table.texture_create(domain.device, facts, &self.handle_, &self.object)
        if code:
            self.handle_ = NULL
        return code

    def _write(self, QueueBase stream not None, ArrayBase source not None, size_t row, size_t rows):
        """Copy all elements from an array, in a stream's order.

        Parameters
        ----------
        stream : QueueBase
        source : ArrayBase
            As many elements as the texture has, on its device.
        row : int
            Bytes of a row.
        rows : int
            How many, of all slices or layers.
        """
        cdef peer_command command
        cdef lp_queue *queue
        if self.memory is not None:
            copy_bytes(stream, self.memory.address_on(stream) + (0 if self.handle_ != NULL else TEXTURE_ELEMENTS),
                       source.address_on(stream), source.nbytes, COPY_WITHIN)
            return
        queue = stream.usable()
        source.check_lives()
        source.order_on(queue)
        self.is_used()
        memset(&command, 0, sizeof(command))
        command.to_texture, command.to_device = self.handle_, self.domain.device
        command.source, command.source_device = source.address, self.domain.device
        command.to_pitch = command.source_pitch = command.width = row
        command.rows = rows
        submit_run(queue, submit_peer, &command)
        finish_if_blocking(queue)

    @property
    def handle(self):
        """The ``cudaTextureObject_t``, as an int."""
        if self.device is not None:    # one that no constructor has filled has none
            self.device.check_open()
        if self.memory is not None:
            self.memory.expose()
        elif lp_runtime.steps:
            step_ends_here()
        self.exposed = True
        return self.object


def reads_textures_in_software(DeviceBase device not None):
    """Whether kernels of a device read textures in software, by a descriptor in memory."""
    return device.domain.table.texture_create == NULL


cdef int pack_texture(Launcher launcher, KernelBase kernel, Py_ssize_t index, object value, uint64_t *at) except -1:
    cdef lp_parameter *parameter = &kernel.parameters[index]
    cdef TextureBase texture
    cdef str ctype = kernel.signature.parameters[index].ctype
    if isinstance(value, TextureBase):
        texture = <TextureBase>value
        if parameter.kind != KIND_TEXTURE and (
                parameter.kind != KIND_UINT or kernel.sizes[index] != 8 or "Surface" in ctype):
            raise errors.SignatureError(
                f"{kernel.where(index)}: expected {'a surface object' if 'Surface' in ctype else ctype}, got a texture"
                + (": write with a kernel to an array, and update the texture from it" if "Surface" in ctype else ""))
        if texture.object == 0:
            raise errors.SignatureError(f"{kernel.where(index)}: expected a texture, got one that was not created")
        if texture.device is not kernel.device:
            raise errors.ArgumentValueError(
                f"{kernel.where(index)}: the texture is on {texture.device.info['name']!r}, the kernel on "
                f"{kernel.device.info['name']!r}: create a texture of an array on the kernel's device")
        if texture.memory is not None:
            texture.memory.order_on(launcher.stream_now().queue)
        texture.is_used()
        at[0] = texture.object
        return 0
    if isinstance(value, DevicePointer):
        at[0] = (<DevicePointer>value).address
        if lp_here.step != NULL:
            step_records_nothing()            # what it reads is not known
        return 0
    hint = ""
    if isinstance(value, ArrayBase) or hasattr(value, "__array_interface__"):
        hint = ": create one of it, launchpath.Texture(array)"
    elif isinstance(value, int):
        hint = ": wrap the object of another library in launchpath.DevicePointer"
    raise errors.SignatureError(f"{kernel.where(index)}: expected a texture, got {described(value)}{hint}")
