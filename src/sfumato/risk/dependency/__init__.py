"""What the columns depend on: reducts of the quasi-identifiers, and what they tell of others."""
