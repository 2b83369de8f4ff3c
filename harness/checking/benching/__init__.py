"""Measure the speed of engines, and compare it with older versions."""
