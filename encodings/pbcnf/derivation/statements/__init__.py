"""Statements of the language: their canonical rows, the rows of `Builder.problem`, and back."""
