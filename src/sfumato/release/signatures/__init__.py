"""Signatures of certificates: whose word a release is."""
