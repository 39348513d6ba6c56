"""The command line: commands made from declarations, and the few written by hand."""
