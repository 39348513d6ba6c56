"""The vocabulary of every room: declarations, outcomes, errors, limits. Touches nothing."""
