"""Which tools there are, and what they take."""
