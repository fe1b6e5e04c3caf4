"""Answers as people look at them. Nothing here decides anything."""
