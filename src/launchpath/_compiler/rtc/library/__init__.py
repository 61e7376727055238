"""The libraries NVRTC, hipRTC and nvJitLink: takes a text with options, gives a binary and a log.

`library_file` finds them, `library` and `linker` call them, `headers` and `machine` are what they get with a text.
`build`, in the folder above, and `direct` call them; a CUDA or HIP driver takes the binary.
"""
