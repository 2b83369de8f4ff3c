"""Tables, figures and sentences shared by several report formats, with a module for each type of result."""
