"""Streams, their events and captures."""

from __future__ import annotations

from launchpath.hip._streams import events, facts, streams

PARTS = (streams, facts, events)  # with functions of HIP's
