"""Boards as text: one reader and writer per format, and the error they all raise."""
