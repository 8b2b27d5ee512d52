"""What analysts can still do with a release: distributions, associations, queries, learning."""
