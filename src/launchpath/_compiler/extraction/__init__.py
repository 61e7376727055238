"""Device code taken out of a source as libclang reads it, for NVRTC and hipRTC: these take no host code.

docs/figures.md ("CUDA devices") has what two other ways were measured to cost.
"""
