"""What networks are made of: layers, word vectors as the first of them, and the network as data for prediction."""
