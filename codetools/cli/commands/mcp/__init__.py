"""MCP servers of the settings: what they offer, and using it."""
