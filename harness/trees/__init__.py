"""The game tree that the explorer shows, with the counts of one or two engines, made in the background."""
