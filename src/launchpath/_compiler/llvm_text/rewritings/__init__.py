"""Rewritings: takes LLVM's text with what the SPIR-V backend or a device lacks, gives a text without that.

`table` names all of them, with what makes each necessary. Every other file implements one rewriting, or helps those.
`../backend.py` goes by the table, and gives the text back to Clang.
"""
