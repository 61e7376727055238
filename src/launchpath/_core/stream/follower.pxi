# Followers: streams of other libraries, found anew for each launch. The public class derives from this and documents it.

cdef class FollowerBase:
    """Stands for the stream that another library has made current, as `current_stream` of the public class finds it.

    The last such stream is used again while the library gives the same handle for the same device.
    """
    cdef object ask                # the library's own: number of a device -> handle
    cdef tuple last                # (device, its number, handle, stream): one object, since any thread may replace it

    def forget(self):
        """Look anew: a stream may be gone."""
        self.last = None

    def follow(self, ask):
        self.ask = ask

    def __enter__(self):
        if not hasattr(self, "current_device"):
            raise TypeError(f"{type(self).__name__} does not follow a library: use launchpath.interop.follow_torch")
        enter(None, self)
        return self

    def __exit__(self, *raised):
        leave(None, self)
        self._left()

    cdef QueueBase look(self, DeviceBase device):
        cdef tuple last = self.last
        cdef QueueBase stream
        if last is not None and last[0] is device and self.ask(last[1]) == last[2]:
            return <QueueBase>last[3]
        stream = self.current_stream(device)
        if self.ask is not None and device.domain.native and stream.device is device:
            number = device.info["ordinal"]
            self.last = (device, number, self.ask(number), stream)
        return stream
