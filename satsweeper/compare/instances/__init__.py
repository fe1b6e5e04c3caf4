"""What is asked about in a sweep: boards, problems and formulas, and smaller ones of them."""
