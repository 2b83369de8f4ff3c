"""Engines that are asked thousands of questions per second, ahead of their answers."""
