"""Where results go: the two consoles, report files, and GitHub Actions."""
