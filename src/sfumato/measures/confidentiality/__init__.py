"""How safe confidential statements are."""
