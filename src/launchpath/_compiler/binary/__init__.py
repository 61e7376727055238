"""Binaries of other compilers for CUDA and HIP devices: takes their bytes, gives kernels with what they take.

`form` says which kind it is: PTX, cubins, fat binaries, HSACO, offload bundles. `kernels` is the result.
`launchpath.load` reads them, and `rtc` what its libraries made; a driver takes the bytes.
"""
