"""LLVM's text, between Clang's front end and its SPIR-V backend: what is read of it, and what is rewritten in it.

`rewritings` is the table of what the backend or devices do not take; `backend` goes by it.
"""
