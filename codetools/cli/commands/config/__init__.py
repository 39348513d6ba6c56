"""Which settings hold, and where each comes from."""
