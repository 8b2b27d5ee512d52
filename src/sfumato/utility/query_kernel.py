"""The kernel of COUNT queries: one pass over the groups for each query, in a fixed order."""

from __future__ import annotations

from numba import njit


@njit(nogil=True, cache=True, error_model="numpy")
def weighted_sums(codes, counts, columns, offsets, shares, found, start, end):
    """Fill ``found`` with Σ over groups of counts × the product of the shares of their codes.

    Queries from ``start`` to ``end`` are answered. Query ``n`` has the conditions ``columns[n]``,
    -1 for none, whose shares begin at ``offsets[n]``.
    """
    groups = counts.shape[0]
    for n in range(start, end):
        total = 0.0
        for g in range(groups):
            weight = counts[g]
            for at in range(columns.shape[1]):
                q = columns[n, at]
                if q < 0:
                    break
                weight *= shares[offsets[n, at] + codes[q, g]]
                if weight == 0.0:
                    break
            total += weight
        found[n] = total
