"""Copies, fills, and values that streams write."""

from __future__ import annotations

from launchpath.hip._copies import copies, stream_values, symbols

PARTS = (copies, symbols, stream_values)  # with functions of HIP's
