"""The only door to files: where they are, what they hold, what will change."""
