"""Programs and kernels: compile, load, launch, and the results of launches."""
