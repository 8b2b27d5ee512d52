"""Draws the discharges and the register of the demo's hospital, which does not exist."""
