"""Quality indicators of fronts."""
