"""What is shown of a run or a comparison, as frozen values with their JSON."""
