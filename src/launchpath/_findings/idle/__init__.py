"""Idle time of devices: how much there is, and what their host threads did meanwhile."""
