"""Statistics of sweeps: scores, paired comparisons with corrected tests, growth."""
