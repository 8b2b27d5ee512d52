"""The anytime search: bounds that tighten until it is stopped."""
