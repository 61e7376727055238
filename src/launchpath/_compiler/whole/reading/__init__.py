"""Reading a whole source: takes its files, gives LLVM's text, though Clang does not take all host code.

`rounds` runs Clang until the text is there: `launches` become calls, and `tolerance` says which errors are the host's.
`program`, in the folder above, goes on from the text.
"""
