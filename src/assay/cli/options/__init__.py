"""Parameters that several commands share, each spelt and explained once, and how they are read and written again."""
