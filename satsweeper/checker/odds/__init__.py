"""Certificates of odds: circuits held to the clues of a board, and counted."""
