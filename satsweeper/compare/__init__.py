"""Experiments that compare encodings: jobs, runs that can be resumed, statistics, reports."""
