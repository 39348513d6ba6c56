"""Who may do what: rules, approvals, and what would be decided."""
