"""Move lists by GenType: correct lists, wrong moves, and guessing the convention of an engine."""
