"""From a plan to a file that appears only when it is complete."""
