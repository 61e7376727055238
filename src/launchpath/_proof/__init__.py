"""Proofs of findings: programs run again with delays, or with a mend forced, and what that shows."""
