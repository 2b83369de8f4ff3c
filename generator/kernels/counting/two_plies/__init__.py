"""Perft two plies at once: the replies to most moves are counted together. `docs/two-plies.md` explains the method."""
