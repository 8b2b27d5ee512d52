"""What people want to keep confidential: sentences, and the rules that say whose they are."""
