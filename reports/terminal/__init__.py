"""What a terminal shows, one result a file."""
