"""The explorer, a Textual application that shows the trees of two engines."""
