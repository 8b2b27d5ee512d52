"""Spark: the distributed engine."""
