"""Hunting: how soon each fault is detected, one hunt for each fault and strategy, and the score of all hunts."""
