"""Libraries that stand in for CUDA's and HIP's, so that their drivers are tested without a GPU."""
