"""What is answered, as values only: classifications and explanations."""
