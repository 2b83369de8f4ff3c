"""Can a game lead to a position? What the pieces, the pawns and the last move tell."""
