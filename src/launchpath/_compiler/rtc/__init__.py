"""The compilers that come with CUDA and ROCm as libraries, NVRTC and hipRTC: takes sources, gives devices' binaries.

`compile` has device code taken out of a source by `extraction`; `text` writes around it, `library` compiles and links.
A CUDA or HIP driver takes the binary; `direct` is the short way, for plain sources.
"""
