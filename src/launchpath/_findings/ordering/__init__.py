"""What is known of the order of works: streams, events, what the host waits for, and what commands share."""
