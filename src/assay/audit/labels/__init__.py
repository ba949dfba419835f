"""What ails the labels: likely errors, conflicts, texts both trained on and tested."""
