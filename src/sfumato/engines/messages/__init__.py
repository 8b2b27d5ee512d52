"""What is asked of an engine and what it answers."""
