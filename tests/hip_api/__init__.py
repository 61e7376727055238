"""HIP's own API in Python: `launchpath.hip` and `launchpath.hiprtc`."""
