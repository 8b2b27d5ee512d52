"""Documents that sfumato reads and writes: JSON values."""
