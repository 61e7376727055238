"""LLVM's text, between Clang's front end and its SPIR-V backend: takes it, gives what the backend takes, and SPIR-V.

`build` goes to SPIR-V, with the messages; `backend` rewrites what is refused, by the table in `rewritings`.
The other files read the text: types, places, marks of accesses. Next are the passes of `spirv`.
"""
