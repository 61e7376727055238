"""Rewritings: takes LLVM's text with what the SPIR-V backend or a device lacks, gives a text without that.

`table` names all of them, with what calls for each; every other file has the functions of one or is used by them.
`backend`, in the folder above, goes by the table, and gives the text back to Clang.
"""
