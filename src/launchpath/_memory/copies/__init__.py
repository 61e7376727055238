"""Copies between arrays, the host and other devices."""
