"""The MCP server: the same tools, decisions and records as every other door."""
