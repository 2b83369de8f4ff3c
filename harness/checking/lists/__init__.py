"""Check move lists by GenType: derive correct lists, find wrong moves, and guess an engine's convention."""
