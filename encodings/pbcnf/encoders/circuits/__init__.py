"""Building blocks of encoders: templates, counters, sorting networks, adders, diagrams."""
