"""The metrics of a recoding: privacy, loss, risk; one concept a file (see `catalogue`)."""
