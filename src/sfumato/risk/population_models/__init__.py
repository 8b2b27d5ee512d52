"""How many people of a population are unique in it, estimated from a sample."""
