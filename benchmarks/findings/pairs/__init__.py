"""Pairs of programs: each file is a program with a fault, at the line ``# fault``, and with ``--mended`` without it."""
