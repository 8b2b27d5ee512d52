"""How privacy and loss are spread over the records."""
