"""What a comparison shows: curves, histograms, who gains and who loses."""
