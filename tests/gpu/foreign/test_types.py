"""What type checkers accept of other libraries' streams and arrays works: see tests/types."""

import gc

from tests.gpu.standin import OUT
from tests.types import accepted

NON_BLOCKING = 1


def test_what_they_accept_works(gpu):
    handle = gpu.cuda("cuStreamCreateWithPriority", OUT, NON_BLOCKING, 0)
    array = gpu.zeros()
    accepted.with_other_libraries(gpu.kernel("increment"), array, handle)
    gc.collect()
    gpu.device.synchronize()
    gpu.cuda("cuStreamDestroy_v2", handle)
