"""Slider attacks by table: a back-end a file (`pext`, `magic`), what they share in `common`, the choice in `index`."""
