"""Certificates: what a session found, for someone who does not trust it to check."""
