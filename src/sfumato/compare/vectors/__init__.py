"""Property vectors of all records, kept by class, and exact sums over them."""
