"""What is not in the records, or not exact: counts of a summary."""

from __future__ import annotations

# Counts that are shown if they are not 0: of the file's header, and of its reader.
COUNTS = {
    "lost": "slots lost (written, but not in the file)",
    "dropped": "slots dropped (no room in their ring, or no memory for a ring)",
    "halves": "commands without details, or details without a command",
    "not_understood": "commands of a kind that is not traced",
    "unknown_slots": "slots of a kind that this version does not know",
    "unknown_blocks": "blocks that this version does not know or cannot read",
    "untimed": "commands without times: no timing object was free, or nothing tells them",
    "unfinished": "commands that were not complete when the trace ended",
    "without_times": "commands whose times are not in the file",
    "failed_times": "commands whose times the library did not give",
    "excluded": "launches excluded by name",
    "captured": "commands that went into a graph of another library and did not run",
    "overlapped": "serialized launches that did not wait for the launch before them",
    "clamped": "commands moved, because they seemed to start before they were enqueued",
    "unrelated": "devices whose clock has no relation to the host's, so that starts are not known",
    "open_ranges": "ranges that had not ended",
    "unmeasured": "files with less than two measurements of the host's clock, so that times may be wrong",
    "waits": "waits of a thread for room in its ring",
    "timing_waits": "waits of a thread for a timing object",
    "not_ended": "traces without an end (the program still runs, or was killed)",
    "incomplete": "files that could not be written to their end",
}
