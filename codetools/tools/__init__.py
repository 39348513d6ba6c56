"""The tools: one module each, found by its place."""
