"""Tests of findings: what `launchpath why` says of programs."""
