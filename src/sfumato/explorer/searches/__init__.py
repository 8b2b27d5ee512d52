"""Searches that run in a process of their own, watched and stopped by the pages."""
