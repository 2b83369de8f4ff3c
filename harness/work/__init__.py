"""Tasks, and the threads or processes of this machine that do them."""
