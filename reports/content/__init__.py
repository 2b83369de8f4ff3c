"""Tables, figures and sentences that several report formats share, in a module per type of result."""
