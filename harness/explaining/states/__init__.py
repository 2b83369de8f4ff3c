"""States explained: how an engine's position differs from the true one after a move is played or taken back."""
