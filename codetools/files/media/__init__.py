"""Images, PDF and notebooks, as a model takes them; decoded in a process of its own."""
