"""Benchmarks: each prints ratios against a baseline that is measured in the same run.

Run one with ``python -m benchmarks.NAME`` from the repository's root; absolute times say little,
machines being shared and noisy. Adult comes from the cache, from SFUMATO_ADULT or, as in the
tests, from a package that carries it.
"""
