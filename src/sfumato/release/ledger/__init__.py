"""The ledger: what was released before of the same people, and what all of it shows together."""
