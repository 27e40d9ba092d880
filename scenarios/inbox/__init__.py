"""The environment `inbox`: mail work of every day, by page, by API and by MCP."""
