"""The hospital of the demo, which does not exist."""
