"""What is shown of two anonymizations that are compared."""
