"""What several formats share: test points, problems with their places, plain text in which nothing is hidden."""
