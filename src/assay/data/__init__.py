"""Reading labelled text into a `Corpus`."""
