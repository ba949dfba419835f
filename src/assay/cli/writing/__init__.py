"""The files that a command writes, and what it says of them."""
