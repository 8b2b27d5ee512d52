"""Ordered domains of values: categories, numbers and dates."""
