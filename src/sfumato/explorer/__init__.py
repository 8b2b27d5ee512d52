"""The explorer: the whole workflow in a browser, on the user's own machine (extra ``explorer``)."""
