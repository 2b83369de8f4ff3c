"""Engine types, one per module."""
