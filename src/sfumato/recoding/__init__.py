"""The kinds of recodings, the spaces that they come from, and their labels."""
