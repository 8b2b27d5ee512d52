"""Where microdata lie: files, databases, tables in memory, and whether they have changed."""
