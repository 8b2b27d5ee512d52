"""The public and the private certificate of a release."""
