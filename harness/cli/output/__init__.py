"""Output of results: the two consoles, report files, and GitHub Actions."""
