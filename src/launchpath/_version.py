"""The version, which the keys of the cache hold too."""

__version__ = "0.1.0"
