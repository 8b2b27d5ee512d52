"""What several of the systems that the papers cite have in common."""
