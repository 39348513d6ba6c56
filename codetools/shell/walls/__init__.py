"""The sandbox for commands that do more than read: what they see, what they may write, and by which means."""
