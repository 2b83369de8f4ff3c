"""The game tree shown in the explorer, with counts that one or two engines compute in the background."""
