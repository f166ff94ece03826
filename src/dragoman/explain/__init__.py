"""Why a translation came out as it did: one Explanation, one JSON."""
