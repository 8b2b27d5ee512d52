"""Where the documentation says what the promises of a release cover, and what not."""

THREAT_MODEL = "docs/threat-model.md"
"""The page, as certificates and reports name it; the name stays."""
