"""Confidential statements: what must not be inferred about a person, and who protects it."""
