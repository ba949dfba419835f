"""The command line: one thin file a command, each over a function that can be imported.

A command NAME is the function NAME_cli of the file NAME.py. `assay.cli.commands` lists them, `assay.cli.main` runs
them and is the one place where an error becomes a message and an exit code.
"""
