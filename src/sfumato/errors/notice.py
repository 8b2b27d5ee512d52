"""What users should know although nothing is wrong yet."""

from __future__ import annotations


class Notice(UserWarning):
    """Something that still works and will not forever; the command line shows it on stderr."""
