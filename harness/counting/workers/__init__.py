"""Who counts pieces: threads of this process, other processes, a cluster."""
