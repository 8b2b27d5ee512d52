"""Domains, hierarchies over them, and how they are built, read and written."""
