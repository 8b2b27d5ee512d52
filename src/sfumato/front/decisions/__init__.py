"""Choosing from a front: rules, knees, flat regions, trade-offs."""
