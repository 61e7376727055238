"""A source read once, whole, by Clang: text -> LLVM's text -> kernels, signatures and entry points -> SPIR-V.

`launches` makes calls of launches, `debug_info` and `types` read the types of LLVM's text, `annotations` and `kernels`
find the kernels in it, `entries` writes their entry points.
"""
