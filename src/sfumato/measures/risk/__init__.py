"""Measures of the risk that an intruder finds somebody, or learns something about them."""
