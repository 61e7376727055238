"""Device code taken out of a source as libclang reads it: takes a source, gives a text without host code, and kernels.

`unit` is the whole of it; `pieces` are the declarations, then come `launches` and `parameters`. Next is `rtc`: NVRTC
and hipRTC take no host code. docs/figures.md ("CUDA devices") has what two other ways were measured to cost.
"""
