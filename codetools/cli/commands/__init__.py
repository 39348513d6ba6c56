"""The commands written by hand: the path of a module is the words of its command."""
