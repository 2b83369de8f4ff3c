"""Where results go: the two consoles, report files, the history, and GitHub Actions."""
