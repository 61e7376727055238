"""Whether a straggler among processes is named with its cause: see ``__main__.py``."""
