"""What ails the labels: likely errors (`label_errors`), conflicts, texts both trained on and tested (`data_checks`)."""
