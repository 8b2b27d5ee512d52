"""Microdata: roles, hierarchies and their builders, the count table, and the engines that count."""
