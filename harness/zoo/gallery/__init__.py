"""The gallery of rare events: the smallest position of each, and faults of the zoo that show there."""
