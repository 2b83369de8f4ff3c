"""What several reports say about a result: tables, figures and sentences, in a module for each kind of result."""
