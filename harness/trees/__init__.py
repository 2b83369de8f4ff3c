"""The game tree shown in the explorer, with the counts of one or two engines, requested in the background."""
