"""The explorer, a textual application that shows the trees of two engines."""
