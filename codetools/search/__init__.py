"""Which files a search sees, and what it finds in them."""
