"""The search methods: one file or folder each."""
