"""Builds by a device's own compiler and linker, here or in another process."""
