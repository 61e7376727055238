"""A small kind of command, "write_word": what it adds to the files that a new kind of command touches."""

from __future__ import annotations

from pathlib import Path

# By file, what is put where: (text, what replaces it).
EDITS: dict[str, list[tuple[str, str]]] = {
    # Its number, names, payload and facts.
    "_core/driver/command.pxi": [
        ("    COMMAND_KINDS = 7\n", "    COMMAND_WORD = 7\n    COMMAND_KINDS = 8\n"),
        ('b"copy_peer", b"marker"]', 'b"copy_peer", b"marker", b"write_word"]'),
        ('b"an event"]', 'b"an event", b"a word"]'),
        ("    COMMANDS_PEER = 1 << 5\n", "    COMMANDS_PEER = 1 << 5\n    COMMANDS_WORD = 1 << 7\n"),
        (
            "cdef struct step_place:",
            "cdef struct word_command:\n    void *to\n    size_t value\n\ncdef struct step_place:",
        ),
        (
            "        facts.to_texture = peer.to_texture\n",
            "        facts.to_texture = peer.to_texture\n"
            "    elif kind == COMMAND_WORD:\n"
            "        facts.size, facts.to = 4, (<const word_command *>bytes).to\n",
        ),
    ],
    # Its case in each driver.
    "_core/driver/opencl/command.pxi": [
        ("OPENCL_KINDS = COMMANDS_OF_ALL", "OPENCL_KINDS = COMMANDS_OF_ALL | COMMANDS_WORD"),
        (
            '    return opencl_fail("clEnqueueNDRangeKernel", CL_INVALID_VALUE)\n',
            "    if command.kind == COMMAND_WORD:\n"
            "        return opencl_word(q, command, <const word_command *>command.bytes)\n"
            '    return opencl_fail("clEnqueueNDRangeKernel", CL_INVALID_VALUE)\n',
        ),
        (
            "cdef int opencl_copy(",
            "cdef int opencl_word(opencl_queue *q, const driver_command *command, const word_command *word) noexcept nogil:\n"
            "    cdef fill_command fill\n"
            "    fill.to, fill.size, fill.pattern_size = word.to, 4, 4\n"
            "    memcpy(fill.pattern, &word.value, 4)\n"
            "    return opencl_fill(q, command, &fill)\n\n\n"
            "cdef int opencl_copy(",
        ),
    ],
    "_core/driver/gpu/queue/command.pxi": [
        ("GPU_KINDS = COMMANDS_OF_ALL", "GPU_KINDS = COMMANDS_WORD | COMMANDS_OF_ALL"),
        (
            "    if command.kind == COMMAND_MARKER:\n",
            "    if command.kind == COMMAND_WORD:\n"
            "        return gpu_word(q, <const word_command *>command.bytes)\n"
            "    if command.kind == COMMAND_MARKER:\n",
        ),
        (
            "cdef int gpu_marker(",
            "cdef int gpu_word(gpu_queue *q, const word_command *word) noexcept nogil:\n"
            "    cdef fill_command fill\n"
            "    fill.to, fill.size, fill.pattern_size = word.to, 4, 4\n"
            "    memcpy(fill.pattern, &word.value, 4)\n"
            "    return gpu_fill(q.device, q.stream, &fill)\n\n\n"
            "cdef int gpu_marker(",
        ),
    ],
    "_core/driver/simulated/command.pxi": [
        ("SIM_KINDS = COMMANDS_OF_ALL", "SIM_KINDS = COMMANDS_WORD | COMMANDS_OF_ALL"),
        (
            "    elif kind == COMMAND_FILL:\n        return SIM_FILL\n",
            "    elif kind == COMMAND_FILL or kind == COMMAND_WORD:\n        return SIM_FILL\n",
        ),
        ("    return 0 if command.kind == COMMAND_MARKER else", "    return 0 if command.kind >= COMMAND_MARKER else"),
        (
            "    elif command.kind == COMMAND_ROWS:\n        node.to,",
            "    elif command.kind == COMMAND_WORD:\n"
            "        node.to, node.size = <uintptr_t>(<const word_command *>command.bytes).to, 4\n"
            "        sim_node_bytes(node, &(<const word_command *>command.bytes).value, 4)\n"
            "    elif command.kind == COMMAND_ROWS:\n        node.to,",
        ),
        (
            "    elif command.kind == COMMAND_FILL:\n        sim_node_touches",
            "    elif command.kind == COMMAND_FILL or command.kind == COMMAND_WORD:\n        sim_node_touches",
        ),
    ],
    # The function that submits it.
    "_core/transfer/plain.pxi": [
        (
            "def upload_address(",
            "def write_word(ArrayBase array not None, QueueBase stream not None, size_t index, uint32_t value):\n"
            "    cdef driver_command command\n"
            "    cdef word_command word\n"
            "    array.check_lives()\n"
            "    array.order_on(stream.queue)\n"
            "    word.to, word.value = <char *>array.address + 4 * index, value\n"
            "    command_set(&command, COMMAND_WORD, &word, sizeof(word))\n"
            "    submit_run(stream.queue, submit_command, &command)\n"
            "    finish_if_blocking(stream.queue)\n\n\n"
            "def upload_address(",
        ),
    ],
    # Its name in traces.
    "_trace/format.py": [("COMMAND_NAMES = {", 'COMMAND_NAMES = {7: "write_word", ')],
}


def add(package: Path) -> None:
    """Add the kind to a copy of the package."""
    for name, edits in EDITS.items():
        text = (package / name).read_text()
        for before, after in edits:
            if text.count(before) != 1:
                raise AssertionError(f"{name}: expected {before!r} once, got it {text.count(before)} times")
            text = text.replace(before, after)
        (package / name).write_text(text)
