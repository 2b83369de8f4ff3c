"""Parts of what a terminal shows that several reports have."""
