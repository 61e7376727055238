"""How long a test waits for what must come: only a test that fails waits so long, however busy the machine is."""

PATIENCE = 120.0  # seconds until something counts as hung; less than the time that a whole test has
PROMPT = 10.0  # the same for a call that waits for nothing
