"""What a document looks like to a learner: vectorizers and their parts."""
