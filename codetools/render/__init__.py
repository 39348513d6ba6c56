"""From outcomes to bytes: JSON for programs, layout and colour for people, schemas for providers."""
