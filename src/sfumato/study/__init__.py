"""A study: the straight line from a source to a front."""
