"""The version, which is also part of the cache's keys."""

__version__ = "0.1.0"
