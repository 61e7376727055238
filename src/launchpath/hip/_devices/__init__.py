"""Devices and their contexts."""

from __future__ import annotations

from launchpath.hip._devices import contexts, device, identity, limits, properties

PARTS = (device, properties, identity, limits, contexts)  # with functions of HIP's
