"""Pipelining: engines that are sent thousands of questions per second without waiting for answers."""
