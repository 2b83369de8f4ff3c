"""The explorer: the trees of two engines on the screen, by textual."""
