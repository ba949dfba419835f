"""What a command is given: data, models, typed texts, and results that other commands wrote."""
