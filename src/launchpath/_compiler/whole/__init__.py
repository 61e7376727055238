"""A source read once, whole, by Clang: takes a source, gives kernels, signatures, and SPIR-V with entry points.

`reading` gives LLVM's text, `debug_info` reads types in it, `kernels` finds the kernels, `entries` writes their
entry points, `program` is the whole of it. Next, `llvm_text` makes SPIR-V.
"""
