"""Figures of the chapter on multi-objective disclosure control."""
