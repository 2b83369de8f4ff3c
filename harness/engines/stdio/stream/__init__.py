"""Engines on stdin that are asked ahead of their answers: thousands of positions a second."""
