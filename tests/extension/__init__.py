"""What a new kind of command and a new driver need."""
