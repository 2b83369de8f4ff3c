"""The faults, one file per class; `catalogue` imports every file, which adds its faults to the zoo."""
