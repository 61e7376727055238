"""Arguments in a block: takes kernels whose parameters come by address, gives entry points that read the block.

`blocks` makes device functions of the kernels, `entry_points` calls them, `in_place` spares copies, as `uses` allows.
The entry points become a part of `text.tail`.
"""
