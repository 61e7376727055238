"""Pairs of programs that use launchpath's own API."""
