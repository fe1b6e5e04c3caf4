"""The proof of a game, followed as it grows."""
