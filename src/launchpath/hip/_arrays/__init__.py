"""Arrays for textures, boxes of memory, and texture objects."""

from __future__ import annotations

from launchpath.hip._arrays import arrays, boxes, copies, texture_objects

PARTS = (boxes, arrays, copies, texture_objects)  # with functions of HIP's
