"""What to use instead of other libraries' names of attributes, by launchpath's class."""

from __future__ import annotations

_GONE = "drop the last reference to it"
_QUERY = "use query()"
_LAUNCH = "use kernel[grid, block](*arguments)"
_MILLISECONDS = "use start.elapsed_time(end), of events that were made with timing=True: it gives milliseconds"
_NAMES = {
    "Device": (
        ("sync finish wait", "use synchronize()"),
        ("use set_current make_current push activate", "use `with device:`, or LAUNCHPATH_DEVICE"),
        ("pop detach", "leave `with device:`"),
        ("create_stream", "use launchpath.Stream(device=device)"),
        ("create_event", "use launchpath.Event(timing=True)"),
        ("compile", "use launchpath.compile(source, device)"),
        ("allocate alloc empty", "use launchpath.empty(shape, dtype, device=device)"),
        ("mem_info get_memory_info", "use memory_info()"),
        ("total_mem global_mem_size memory_size", "use total_memory"),
        ("id index device_id", "use launchpath.devices().index(device), or ordinal for CUDA's own number"),
        ("count", "use len(launchpath.devices())"),
        ("attributes properties get_info get_attributes", "use info, a dict by name"),
        ("compute_capability", "use architecture"),
        ("max_work_group_size max_threads", "use max_threads_per_block"),
        ("max_compute_units multi_processor_count multiprocessor_count", "use compute_units"),
        ("local_mem_size max_shared_memory_per_block", "use shared_memory_per_block"),
        ("reset", "drop its arrays, and use trim_memory()"),
    ),
    "Stream": (
        ("finish sync", "use synchronize()"),
        ("wait_stream wait_for", "use wait(other.record())"),
        ("record_event create_event", "use event = record(), or record(event)"),
        ("close destroy", f"{_GONE}: its work runs to the end"),
        ("add_callback launch_host_func callback", "use host_function(function, *arguments)"),
        ("use set_current", "use `with stream:`"),
        ("done is_done is_complete ready", _QUERY),
        ("ptr cuda_stream stream_id int_ptr", "use handle"),
        ("capture_begin start_capture", "use begin_capture()"),
        ("capture_end stop_capture", "use end_capture()"),
        ("launch", "use kernel[grid, block, stream](*arguments)"),
        ("copy memcpy", "use array.copy_from(source, stream=stream)"),
    ),
    "Event": (
        ("record", "use stream.record(event)"),
        ("wait", "use stream.wait(event) to let a stream wait, or synchronize() to wait here"),
        ("sync block", "use synchronize()"),
        ("done is_done is_complete ready", _QUERY),
        ("elapsed time_since time_till elapsed_ms time get_elapsed_time profile", _MILLISECONDS),
        ("close destroy", _GONE),
    ),
    "Kernel": (
        ("forall", "use kernel.over(n)(*arguments)"),
        ("launch run enqueue call prepared_call", _LAUNCH),
        ("prepare configure", "keep launcher = kernel[grid, block], and call launcher(*arguments)"),
        ("set_args set_arg setArg", f"pass the arguments at the launch: {_LAUNCH}"),
        ("get_work_group_info get_info get_function_attributes", "use attributes, occupancy and suggest_block"),
        ("max_threads_per_block", "use attributes.max_threads_per_block"),
        ("num_regs", "use attributes.num_regs"),
        ("function_name", "use name"),
        ("num_args args arguments arg_info", "use signature.parameters"),
        ("compile specialize warmup", f"it is compiled: {_LAUNCH}"),
    ),
    "Trace": (
        ("key_averages table show print", "use print(trace.summary())"),
        ("export_chrome_trace to_perfetto export_perfetto", "use write_perfetto(path)"),
        ("export save", "it is in the file trace.path; use write_perfetto(path) for another format"),
        ("report", "use summary(), or saved().findings() for what holds the program back"),
        ("step", "use `with launchpath.range(name):` around a step"),
        ("begin enable", "use start()"),
        ("end disable close finish", "use stop()"),
    ),
    "Step": (
        ("launch replay run execute", "use `with step:` again, or frozen = step.freeze() and frozen.launch()"),
        ("begin capture capture_begin record start", "use `with step:`"),
        ("end capture_end stop", "leave `with step:`"),
        ("instantiate graph build complete", "use freeze(), which keeps the commands of the last run"),
        ("reset", "use another launchpath.Step()"),
        ("stats summary changed info commands", "use report()"),
        ("submit flush synchronize", "leave `with step:`, which submits what it has kept back"),
    ),
    "SavedTrace": (
        ("kernels launches copies", "use summary().kernels for the sums by name, or dispatches() for each launch"),
        ("events records", "use calls(), dispatches() and ranges()"),
        ("query", "use sql(query)"),
        ("report show print", "use print(trace.summary()), or findings() for what holds the program back"),
    ),
    "FrozenStep": (
        ("replay run execute upload", "use launch()"),
        ("update", "change the contents of its arrays, or run the step again and freeze it"),
    ),
}
_PROGRAM = (
    ("get_function get_kernel get_kernels", 'use program.name, or program["name"]'),
    ("build compile link", "launchpath.compile has compiled it"),
    ("all_kernels kernel_names get_kernel_names", "use program.kernels, a dict by name"),
    ("num_kernels", "use len(program.kernels)"),
    ("get_global get_texref get_symbol globals get_variable", "use program.symbol(name)"),
    ("get_build_info get_build_log build_log", "use program.log"),
    ("get_info binaries code cubin ptx", "use program.binary()"),
    ("context module", "use program itself, and program.device"),
)


def _by_name(pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {name: text for names, text in pairs for name in names.split()}


INSTEAD = {kind: _by_name(pairs) for kind, pairs in _NAMES.items()}
# A program has its kernels as attributes: these count where it has no kernel of that name.
OF_PROGRAM = _by_name(_PROGRAM)
