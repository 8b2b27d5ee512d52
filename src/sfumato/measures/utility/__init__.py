"""What the released records are still good for."""
