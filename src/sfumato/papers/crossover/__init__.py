"""Figures of the paper on a crossover for k-anonymity."""
