"""The systems that the papers cite, side by side."""
