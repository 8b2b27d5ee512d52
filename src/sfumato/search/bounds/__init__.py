"""Boxes of the lattice, their bounds, and the nodes evaluated so far."""
