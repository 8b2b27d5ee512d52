"""Roles of columns, missing values, and the one pipeline that counts a source."""
