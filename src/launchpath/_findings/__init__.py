"""Findings: what holds a program back, what a mend saves, and the proof. Reads traces alone: no device, no core."""
