"""Attacks on written files, as programs: what an intruder learns, and what chance would give."""
