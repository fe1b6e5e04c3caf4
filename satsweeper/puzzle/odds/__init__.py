"""Exact odds on boards of any shape under any rules, counted along an order of the cells."""
