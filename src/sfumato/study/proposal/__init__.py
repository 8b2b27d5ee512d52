"""A first study file, proposed from a look at the data."""
