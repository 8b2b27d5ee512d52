"""Quality indices: metrics of one or two property vectors. One index a file."""
