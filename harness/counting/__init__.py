"""Large counts, cut into pieces whose results are kept in a ledger, in threads, processes or on a cluster."""
