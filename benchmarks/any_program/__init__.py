"""What a trace adds to programs that do not use launchpath."""
