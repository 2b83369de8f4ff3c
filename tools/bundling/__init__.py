"""Generate the bundled suites, from a seed and from the faults that positions show."""
