"""What a publisher should look at before a table is released."""
