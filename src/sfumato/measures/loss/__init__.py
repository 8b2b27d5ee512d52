"""Information loss: what generalization and suppression take away."""
