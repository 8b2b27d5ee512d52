"""The kinds of findings, one in each file."""
