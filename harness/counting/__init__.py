"""Counts that are too large for one run: cut into pieces, kept in a ledger, counted by threads or on a cluster."""
