"""The command line: one thin file a command, each over a function that can be imported.

The way of a command, one room a step::

    start ── main ── application ── commands/NAME ── reading ── (the package's own function) ── screens, writing
                                    options

============  =====================================================================================
start, main   where the process begins and ends; the one place where an error becomes an exit code
application   how a command is found, and how its help looks
commands/     the list of commands, and a file for each: its options, a call, what to print
options/      parameters that several commands share
reading/      what a command is given: data, models, typed texts, results of other commands
screens/      what a person sees: tables, progress, questions, notes
writing/      the files that a command writes
signals/      Ctrl-C, and the system's requests to end
============  =====================================================================================
"""
