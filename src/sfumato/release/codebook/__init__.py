"""The codebook of a release: what its labels mean, as JSON and as a page."""
