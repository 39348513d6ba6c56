"""What lasts between calls: journal and blobs for undo, read marks, approvals, audit lines, trust."""
