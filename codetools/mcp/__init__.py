"""The Model Context Protocol, and the client that makes other people's servers into tools of ours."""
