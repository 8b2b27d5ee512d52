"""Pages that are one file: the frame and the style that all of them share."""
