"""Executors: files are condensed in parts, by this machine's processes, a Dask cluster or MPI's ranks, and merged."""
