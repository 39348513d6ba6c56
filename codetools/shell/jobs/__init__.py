"""Commands that outlive their call: each under a small supervisor of its own, with a directory on disk."""
