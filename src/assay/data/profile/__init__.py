"""The profile of a corpus: classes, lengths, scripts, and what to do about what was found."""
