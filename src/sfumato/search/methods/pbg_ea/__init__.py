"""PBG-EA over the lattice."""
