"""Data sets that papers and users know, as studies that are ready to search."""

from sfumato.datasets.adult import adult

__all__ = ["adult"]
