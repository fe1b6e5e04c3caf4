"""Encoders of parities."""
