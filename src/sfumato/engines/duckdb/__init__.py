"""DuckDB: the embedded engine."""
