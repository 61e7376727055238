"""Draws random programs: the operations by subject, and what a part leaves behind as it is drawn."""
