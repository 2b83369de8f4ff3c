"""Which branches of an engine's own code its answers have reached: what engines tell of it, and what is known."""
