"""The engines that touch rows, one file each."""
