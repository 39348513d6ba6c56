"""Ignore rules: why a path is ignored, and new lines for a .gitignore."""
