"""The path down from a wrong count to its cause: the positions on it, and what is found at its end."""
