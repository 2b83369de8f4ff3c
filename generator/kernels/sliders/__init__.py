"""Slider attacks by table: `lookup`, with PEXT or by `magic` numbers."""
