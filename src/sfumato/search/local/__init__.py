"""What the methods of local recoding share: cells as arrays, kernels, criteria, the bound."""
