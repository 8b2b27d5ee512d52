"""Operators of evolutionary searches: functions of arrays and a random generator."""
