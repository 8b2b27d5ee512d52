"""The systems that the papers cite, as published: a file each."""
