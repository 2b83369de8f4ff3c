"""Charts as SVG: the curve of a detection score on its axes, and bars with their spread."""
