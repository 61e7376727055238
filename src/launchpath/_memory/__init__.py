"""Arrays, and host memory on its way to a device and back."""
