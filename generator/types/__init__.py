"""The vocabulary: squares, pieces, moves, and the board as White or as the side to move sees it."""
