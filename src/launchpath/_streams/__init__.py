"""Devices, streams and events: what work is submitted to, and what it comes after."""
