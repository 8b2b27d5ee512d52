"""Properties: what a recoding gives every row. One property a file."""
