"""Families of instances whose answer is known by an argument: boards, and counting problems."""
