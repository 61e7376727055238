"""The compilers that come with CUDA and ROCm as libraries: NVRTC and hipRTC."""
