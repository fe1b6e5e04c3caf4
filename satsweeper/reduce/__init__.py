"""Deductions that need no search, on bit boards."""
