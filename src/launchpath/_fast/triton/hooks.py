"""What of Triton is replaced, or read, and the versions for which that is known to be right."""

from launchpath._fast.hooks import Hook

VERSIONS = ((3, 6), (3, 7), (3, 8), (3, 9))
_JIT, _COMPILER, _KNOBS = "triton.runtime.jit", "triton.compiler.compiler", "triton.knobs"

HOOKS = (
    Hook(_JIT, "JITFunction.run", ("self", "args", "grid", "warmup", "kwargs")),
    Hook(_JIT, "KernelInterface.__getitem__", ("self", "grid")),
    Hook(_JIT, "JITFunction.create_binder", ("self",)),
    Hook(_JIT, "JITFunction.add_pre_run_hook", ("self", "hook")),
    Hook(_JIT, "create_function_from_signature", ("sig", "kparams", "backend")),
    Hook(_JIT, "KernelParam.is_constexpr"),
    Hook(_COMPILER, "CompiledKernel.run"),
    Hook(_COMPILER, "CompiledKernel._init_handles", ("self",)),
    Hook(_COMPILER, "CompiledKernel.__getitem__", ("self", "grid")),
    Hook(_COMPILER, "CompiledKernel.launch_metadata", ("self", "grid", "stream", "args")),
    Hook(_KNOBS, "runtime.launch_enter_hook"),
    Hook(_KNOBS, "runtime.launch_exit_hook"),
    Hook(_KNOBS, "runtime.add_stages_inspection_hook"),
    Hook(_KNOBS, "runtime.debug"),
    Hook(_KNOBS, "compilation.instrumentation_mode"),
    Hook(_KNOBS, "HookChain.add", ("self", "func")),
    Hook("triton.runtime.driver", "driver._active"),
    Hook("triton.backends.nvidia.driver", "CudaDriver"),
    Hook(
        "triton.backends.nvidia.driver",
        "CudaLauncher.__call__",
        ("self", "gridX", "gridY", "gridZ", "stream", "function"),
    ),
)
# What an instance must have: (attribute, class it is of).
ATTRIBUTES = (
    ("pre_run_hooks", list), ("device_caches", dict), ("used_global_vals", dict), ("params", list), ("debug", object),
)  # fmt: skip
