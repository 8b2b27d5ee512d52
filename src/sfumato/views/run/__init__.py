"""What is shown of a run: its facts, its solutions, its report."""
