"""Examples of calls: those that type checkers accept, which also run, and those that they refuse, which also fail."""
