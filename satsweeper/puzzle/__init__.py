"""Boards of any shape under any rules: cells of a graph, clues and rules as constraints."""
