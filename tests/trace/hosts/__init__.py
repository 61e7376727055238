"""Clocks of hosts."""
