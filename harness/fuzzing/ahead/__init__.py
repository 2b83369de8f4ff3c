"""Fuzzing at the engine's own speed: kernels draw positions, the engine is asked ahead of its answers, and doubtful
answers alone are examined one at a time.
"""
