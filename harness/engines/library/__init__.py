"""Shared libraries with a C interface: bindings, the process that loads a library, and blocks of positions."""
