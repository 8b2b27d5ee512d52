"""How identifying columns and their combinations are, from the cells of a count table."""
