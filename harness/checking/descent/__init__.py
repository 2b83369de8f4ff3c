"""The descent from an incorrect count to its cause."""
