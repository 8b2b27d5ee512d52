"""What touches rows: the protocol of an engine, and its implementations."""
