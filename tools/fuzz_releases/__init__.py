"""Draws random studies, releases them, and recomputes the written files without sfumato's code."""
