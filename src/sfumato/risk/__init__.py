"""Intruders: what somebody with a register can find in a table."""
