"""The genetic algorithm over codes of admissible partitions."""
