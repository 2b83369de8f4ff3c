"""Counting leaf nodes, classifying leaf moves, and sharing large counts between threads."""
