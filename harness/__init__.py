"""Asking, comparing, explaining: everything between a suite and a report."""
