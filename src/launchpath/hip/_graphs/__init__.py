"""Graphs, their nodes and launches, and the capture of streams."""

from __future__ import annotations

from launchpath.hip._graphs import capture, driver, execution, graphs, memory, nodes, symbols, user_objects

PARTS = (graphs, nodes, memory, execution, symbols, driver, capture, user_objects)  # with functions of HIP's
