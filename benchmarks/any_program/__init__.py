"""What a trace costs a program that knows nothing of launchpath."""
