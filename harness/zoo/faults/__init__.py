"""The faults, one file for each theme; `catalogue` imports every file here, which enters its faults into the zoo."""
