"""One file per output format, each a function of the event and result model alone."""
