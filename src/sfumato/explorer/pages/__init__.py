"""The pages of the explorer, one for each step of the workflow."""
