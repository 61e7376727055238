"""What commands show: text, tables and progress on a terminal, and JSON."""
