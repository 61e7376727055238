"""Reading what other compilers made for CUDA and HIP devices: PTX, cubins, fat binaries, HSACO, offload bundles."""
