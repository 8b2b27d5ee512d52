"""A measure, a search and a comparator for sfumato, as an example."""
