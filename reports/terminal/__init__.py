"""What commands print: one file per command, and the parts that several of them have."""
