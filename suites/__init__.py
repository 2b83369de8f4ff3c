"""The bundled suites as data, and modules that read, write and create suites."""
