"""The faults, one file for each class; `catalogue` imports every file here, which enters its faults into the zoo."""
