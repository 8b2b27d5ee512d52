"""Measures of an anonymized table: privacy, loss, equity, utility; one concept a file."""
