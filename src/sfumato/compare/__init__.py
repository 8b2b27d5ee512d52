"""Property vectors, quality indices and comparators: which anonymization is better, for whom."""
