"""Quality indices: figures of one or two property vectors. One index a file."""
