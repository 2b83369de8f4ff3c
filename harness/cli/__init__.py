"""The command line, by typer.

`app.py` lists the commands. `commands/` has one function for each, with its options, and `actions/` what they do.
`configuration/` gives typer what the command line leaves out. `output/` has the consoles and the writing of reports.
`command.py` and `mistakes.py` say in one line what is wrong with a command line.
"""
