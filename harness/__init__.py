"""Run engines, compare their answers and explain mismatches: everything between a suite and a report."""
