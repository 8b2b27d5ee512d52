"""The study file: its tables and keys, read and written."""
