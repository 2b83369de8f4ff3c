"""The faults, one module per class; `catalogue` imports every module, which adds its faults to the zoo."""
