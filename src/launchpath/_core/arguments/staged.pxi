# Host arrays as arguments: the bases of the public classes In, Out and InOut.


cdef class StagedBase:
    """A host array that has memory on the device for launches to use."""
    cdef public bint _launched     # the launch for which it was staged last has been accepted
    cdef lp_recording *recording   # by the recording of a step, in this run; or NULL
    cdef uint64_t run

    def _left_out(self):
        """Whether a command of the step that its last launch was in was refused, so that the launch may have been left
        out."""
        return self.recording != NULL and self.recording.refused_run == self.run

    def _stage(self, QueueBase stream, KernelBase kernel, Py_ssize_t index):
        """Make the device's memory ready for a launch that is submitted to a stream next.

        Returns
        -------
        int
            Its address.
        """
        raise NotImplementedError

    cdef void *stage_for(self, Launcher launcher, KernelBase kernel, Py_ssize_t index) except? NULL:
        return <void *><uintptr_t>self._stage(launcher.stream_now(), kernel, index)
