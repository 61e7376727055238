"""What compiled programs call most, measured beside launchpath's own from Python."""
