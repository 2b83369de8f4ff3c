"""Parts that several reports for terminals share."""
