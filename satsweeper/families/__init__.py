"""Families of boards and counting problems whose answer is known by an argument."""
