"""How little it takes: small changes of a text that should not change its label."""
