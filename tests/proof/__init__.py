"""Proofs: programs that run again."""
