"""Exact searches of the space of partitions, by branch and bound over cuts."""
