"""Boards to play: drawn as they come, or changed until no move is a guess, with the proof."""
