"""Settings in layers that remember where each value came from, and the rules written in them."""
