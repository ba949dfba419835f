"""What a person sees on a terminal: results, progress, questions and notes; no measuring is done here."""
