"""Tables of the paper on comparing disclosure control algorithms."""
