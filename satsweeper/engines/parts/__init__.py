"""What several engines share; none is an engine itself."""
