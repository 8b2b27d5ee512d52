"""The places of microdata: files, databases and tables in memory, and whether they changed."""
