"""How well records are protected: k, the kinds of l, t, and averages."""
