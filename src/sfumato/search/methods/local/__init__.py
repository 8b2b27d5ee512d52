"""The methods that search local recodings."""
