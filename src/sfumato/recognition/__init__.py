"""What the names and the shapes of values tell: identifiers of people, in several languages."""
