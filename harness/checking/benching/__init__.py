"""Measuring the speed of engines, and comparing it with older versions."""
