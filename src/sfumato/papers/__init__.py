"""The tables and figures of the papers, computed anew beside what was printed."""
