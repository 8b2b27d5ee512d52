"""NSGA-II over partitions."""
