"""What client and server share: messages, their framing, the revisions. Neutral between the two."""
