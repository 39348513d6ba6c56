"""From a request to an outcome: registry, policy, call."""
