"""What each provider's model asks for, and the messages that answer it."""
