"""Rewriting a table, verifying what was written, and certifying it."""
