"""Slider attacks by table: one back-end a file, what they share in `common`."""
