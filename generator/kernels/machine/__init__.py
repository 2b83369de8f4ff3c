"""The machine: bit primitives, the compiler, and how a running kernel is stopped."""
