"""Measuring any anonymized table by its own content."""
