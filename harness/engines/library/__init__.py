"""Shared libraries with a C interface: the header, the process that loads one, and blocks of questions."""
