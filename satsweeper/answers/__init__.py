"""Answers as values: classifications, explanations, and the options of a question."""
