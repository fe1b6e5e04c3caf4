"""Answers and reports as notebooks show them: drawings, tables, and plain text beside them."""
