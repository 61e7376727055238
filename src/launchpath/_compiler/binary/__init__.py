"""Read binaries of other compilers for CUDA and HIP devices: PTX, cubins, fat binaries, HSACO, offload bundles."""
