"""How many replies there are, and what our simple moves change about that: a file for each contribution."""
