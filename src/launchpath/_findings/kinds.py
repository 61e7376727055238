"""The kinds of findings. docs/findings.md has the same table."""

from __future__ import annotations

# For each kind what it means, in the words of a heading.
KINDS = {
    "launch-bound": "Launching holds the device back",
    "host-code": "Host code between launches holds the device back",
    "equal-uploads": "The same bytes are sent again",
    "needless-synchronize": "A synchronization that nothing needs",
    "wide-synchronize": "The whole device is waited for where a stream or an event would do",
    "needless-order": "A wait of a stream that orders nothing",
    "small-copies": "Many small copies in place of few large ones",
    "pageable-copies": "Copies from memory that is not pinned",
    "serial-copies": "Copies that could run beside kernels",
    "serial-streams": "Kernels in one stream that could run side by side",
    "small-kernels": "Kernels too small for the device",
    "allocations": "Memory is allocated or freed while the device waits",
    "crossing-temporaries": "Temporary memory that crosses streams",
    "slow-first-launch": "Kernels are compiled or loaded while the device waits",
    "lock": "A thread waits for another thread: a lock, or the GIL",
    "thread-not-running": "A thread is ready and has no processor",
    "straggler": "The slowest of several threads or processes holds the others back",
    "tracing": "The trace itself",
}
