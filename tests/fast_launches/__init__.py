"""Tests of `launchpath.fast`: the core's part on small stand-ins of the libraries, and the libraries that are installed."""
