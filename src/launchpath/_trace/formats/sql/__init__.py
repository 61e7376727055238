"""Queries in SQL over records: views with documented columns, which DuckDB reads as a stream."""
