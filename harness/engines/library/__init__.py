"""Shared libraries with a C interface: the interface, the process that loads a library, and blocks of positions."""
