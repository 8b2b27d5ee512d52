"""GENITOR with validity-preserving crossover."""
