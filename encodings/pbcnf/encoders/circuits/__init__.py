"""What encoders are made of: counters, sorters, adders and diagrams. None is an encoder itself."""
