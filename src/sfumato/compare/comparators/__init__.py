"""Comparators of sets of property vectors. One comparator a file."""
