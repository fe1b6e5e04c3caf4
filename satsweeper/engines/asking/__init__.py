"""Engines asked by name, in processes of their own, and side by side."""
