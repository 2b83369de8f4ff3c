"""What commands print: one file per command, and in `parts/` what several of them share."""
