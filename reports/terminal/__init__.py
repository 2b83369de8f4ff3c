"""What commands print: a module for each type of result."""
