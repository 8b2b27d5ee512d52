"""Dominance and fronts."""
