"""What the words say about the classes."""
