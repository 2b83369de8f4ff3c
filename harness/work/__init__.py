"""Tasks and who does them: threads or processes of this machine, or a cluster."""
