"""Families of named members: built in, and from other packages."""
