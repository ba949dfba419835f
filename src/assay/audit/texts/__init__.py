"""How little it takes: small changes of a text (`perturbations`) that should not change its label (`robustness`)."""
