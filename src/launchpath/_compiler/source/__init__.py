"""The source: takes a text or a file, with options; gives what compilers read, and what the text itself shows.

`source` is the input of a compilation. `text` has its tokens, `active` what conditions leave of it, `unit` its files.
Next, `clang` reads it: whole for OpenCL devices, see `whole`; for device code that NVRTC takes, see `extraction`.
"""
