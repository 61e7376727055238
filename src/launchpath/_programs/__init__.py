"""Programs and kernels: compiled, loaded, launched, and what launches return."""
