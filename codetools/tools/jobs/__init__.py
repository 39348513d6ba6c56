"""Background jobs: what runs, what it wrote, and its end."""
