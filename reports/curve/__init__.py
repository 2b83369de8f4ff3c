"""The curve of a detection score: its axes, and the picture."""
