"""Incognito-style search over subsets of the quasi-identifiers."""
