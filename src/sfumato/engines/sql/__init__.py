"""The SQL that all engines share."""
