"""Large counts on threads, processes or a cluster, cut into pieces whose results are stored in a ledger."""
