"""A whole sweep: planned, run in processes that may be killed, written down, resumed."""
