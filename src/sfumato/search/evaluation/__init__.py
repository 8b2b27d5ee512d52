"""Evaluating recodings once, and stopping and resuming what was evaluated."""
