"""How likely somebody of a table is found: who has which risk, and by which columns."""
