"""Records as numbers that merge: tables by key, of one process or of thousands."""
