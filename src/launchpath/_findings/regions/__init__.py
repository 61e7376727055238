"""Regions of a program that repeat: by ranges, by steps, or by repetition in the records."""
