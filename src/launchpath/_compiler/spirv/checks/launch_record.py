"""The record of a launch: memory, for its kernels, and the first failed check, from them. The core has the same words.

`_core/layers/bounds.pxi` has them too. All are 64 bits wide; each field is the number of its first word.
"""

from __future__ import annotations

FAILED = 0  # its low half: 1 if a check has failed; what follows is of the first that did
CHECK, ADDRESS, BEGIN, END = 1, 2, 3, 4
BLOCK, THREAD = 5, 8  # three words each
DYNAMIC_SHARED = 11  # bytes
COUNT, TABLE = 12, 13  # of all memory: rows of (from, begin, end), in order, and where they are
ARGUMENTS = 14  # a row (begin, end) for each word of the packed arguments, should that be an address
ROW_BYTES = 24
