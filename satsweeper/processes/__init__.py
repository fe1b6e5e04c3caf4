"""Processes that end on time and within their memory, whatever runs in them."""
