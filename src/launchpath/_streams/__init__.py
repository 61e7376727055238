"""Devices, streams and events: the targets of work, and its order."""
