"""Run folders: what a search leaves behind for picking, releasing and reporting."""
