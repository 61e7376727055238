"""Arrays, and the host memory of copies to and from a device."""
