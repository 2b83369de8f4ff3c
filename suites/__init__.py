"""The bundled suites as data, and the reading, writing and making of suites."""
