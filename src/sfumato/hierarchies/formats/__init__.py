"""The CSV formats of hierarchies and of admissible partitions."""
