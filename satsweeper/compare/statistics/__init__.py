"""What a sweep's results say: scores, paired comparisons with corrected tests, growth."""
