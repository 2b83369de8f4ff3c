"""Sessions with engines: asking, pipelining and confirming failures."""
