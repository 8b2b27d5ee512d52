"""What touches rows: the protocol of an engine and those that there are."""
