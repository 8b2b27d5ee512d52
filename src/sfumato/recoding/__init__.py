"""Recodings, their class tables, and suppression."""
