"""Contracts that every member of a family must pass, also those of other packages."""
