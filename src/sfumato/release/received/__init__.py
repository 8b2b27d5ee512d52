"""Checking a release by what its readers have: the file and its public certificate."""
