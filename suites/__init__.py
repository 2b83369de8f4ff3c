"""The bundled suites as data files, and modules that read, write and create suites."""
