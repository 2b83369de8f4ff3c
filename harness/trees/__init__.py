"""The trees of two engines side by side, counted in the background: what the explorer shows."""
