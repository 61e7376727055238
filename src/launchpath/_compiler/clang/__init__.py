"""Clang as a program: takes a source and what to make of it, gives LLVM's text, SPIR-V or bitcode, and messages.

`frontend` has its options, `run` runs it, `precompiled` has the headers that it need not read again.
`plain` and `whole` ask for it; what its backend refuses is rewritten by `llvm_text`, and `spirv` goes on.
"""
