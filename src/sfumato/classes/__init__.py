"""Equivalence classes: the one model that measures read, its makers, and suppression."""
