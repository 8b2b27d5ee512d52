"""Quality indices: numbers that sum up one or two property vectors. One index a file."""
