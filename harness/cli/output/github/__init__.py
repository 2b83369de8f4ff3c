"""What is special in GitHub Actions: the summary of a step, and text that must not be taken for commands."""
