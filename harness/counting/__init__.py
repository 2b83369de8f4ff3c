"""Counts that are too large for one run: by pieces, kept in a ledger, counted by threads or on a cluster."""
