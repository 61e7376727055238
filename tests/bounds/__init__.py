"""Checks of kernels' accesses (``LAUNCHPATH_DEBUG=bounds``): kernels with an error each, and the corpus without."""
