"""Releases whose cells are statistics of blocks."""
