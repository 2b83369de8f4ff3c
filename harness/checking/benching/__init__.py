"""Timing engines side by side, keeping the figures, and holding an engine against an older one."""
