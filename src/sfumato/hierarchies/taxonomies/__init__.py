"""Known taxonomies: facts about values, each with its source, and how values find their place."""
