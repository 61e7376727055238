"""Traces, from the begin of one to its file: records are read as they stand, without the package's own reader."""
