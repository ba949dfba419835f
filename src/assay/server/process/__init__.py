"""The processes of a server: how they listen, share counts, and end."""
