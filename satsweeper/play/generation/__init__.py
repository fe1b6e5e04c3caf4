"""Boards to play: drawn at random, or changed until no move is a guess, with the proof."""
