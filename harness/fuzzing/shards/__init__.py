"""The shards of a soak, and who plays their games: threads of this process, or a cluster."""
