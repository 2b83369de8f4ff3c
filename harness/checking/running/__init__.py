"""A run of suites: its plan, its cases in parts, and the lanes that work them off."""
