"""Families of named members: sfumato's own, and those of other packages by entry points."""
