"""What can be said: bounds on sums of literals, their normal forms, and whole problems of them."""
