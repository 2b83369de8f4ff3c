"""What commands print: one file per kind of result, and in `parts/` what several of them share."""
