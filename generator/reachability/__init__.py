"""Can a game lead to a position? Evidence from its pieces, pawns and last move."""
